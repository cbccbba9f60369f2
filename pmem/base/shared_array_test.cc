#include "pmem/base/shared_array.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "engine/base/catch.h"

namespace hdbench::pmem {
namespace {

TEST_CASE("what a forked process writes is seen here") {
  const SharedArray<std::atomic<std::uint32_t>> counts(3);
  CHECK(counts[2].load() == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    counts[2].store(7);
    ::_exit(0);
  }
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  CHECK(counts[2].load() == 7);
  CHECK(counts.size() == 3);
}

TEST_CASE("numbers begin as zero and are zero again once cleared") {
  SharedArray<std::uint32_t> numbers(10'000);
  CHECK(numbers[9'999] == 0);
  for (std::uint32_t& number : numbers.all()) number = 5;
  numbers.clear();
  for (const std::uint32_t number : numbers.all()) REQUIRE(number == 0);
  numbers = SharedArray<std::uint32_t>(0);
  CHECK(numbers.size() == 0);
}

struct Begun {
  int value = 3;
};

TEST_CASE("elements begin as their type does") {
  const SharedArray<Begun> begun(2);
  CHECK(begun[1].value == 3);
}

}  // namespace
}  // namespace hdbench::pmem
