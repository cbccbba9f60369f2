#include "bench/cli/abnormal_ends.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <system_error>

#include "bench/base/report_error.h"
#include "engine/base/catch.h"
#include "engine/base/thread_pool.h"
#include "engine/testing/child.h"

namespace hdbench::bench {
namespace {

template <typename Failure>
int stray_status(const Failure& failure) {
  try {
    throw failure;
  } catch (...) {
    return report_stray_error();
  }
}

TEST_CASE("memory and threads that cannot be had are a limit") {
  CHECK(stray_status(std::bad_alloc()) == kLimitStatus);
  const auto busy = std::make_error_code(std::errc::resource_unavailable_try_again);
  CHECK(stray_status(NoThread(busy)) == kLimitStatus);
  CHECK(stray_status(std::system_error(busy)) == kLimitStatus);
}

TEST_CASE("files and libraries that fail are bad data") {
  const auto denied = std::make_error_code(std::errc::permission_denied);
  CHECK(stray_status(std::filesystem::filesystem_error("x", "/place", denied)) == kDataStatus);
  CHECK(stray_status(std::system_error(denied)) == kDataStatus);
  CHECK(stray_status(std::runtime_error("a library's text")) == kDataStatus);
}

}  // namespace

TEST_CASE("a maps line gives its path for addresses within it only") {
  const char* line = "7f00001000-7f00003000 r--s 00000000 fe:00 42   /db/2020.01.07/quote/a b";
  REQUIRE(mapped_path(line, 0x7f00001000) == "/db/2020.01.07/quote/a b");
  REQUIRE(mapped_path(line, 0x7f00002fff) == "/db/2020.01.07/quote/a b");
  REQUIRE(mapped_path(line, 0x7f00003000).empty());
  REQUIRE(mapped_path("7f00001000-7f00003000 rw-p 00000000 00:00 0", 0x7f00001000).empty());
  REQUIRE(mapped_path("", 1).empty());
}

TEST_CASE("a file truncated under its mapping ends the program with the status of bad data") {
  CHECK(testing::status_of_child([] {
          catch_bus_errors();
          char name[] = "/tmp/hdbench-bus-XXXXXX";
          const int file = ::mkstemp(name);
          ::unlink(name);
          if (file < 0 || ::ftruncate(file, 8192) != 0) return 99;
          void* mapped = ::mmap(nullptr, 8192, PROT_READ, MAP_SHARED, file, 0);
          if (::ftruncate(file, 0) != 0) return 98;
          const char touched = *static_cast<const volatile char*>(mapped);
          return touched == 0 ? 97 : 96;
        }) == kDataStatus);
}

}  // namespace hdbench::bench
