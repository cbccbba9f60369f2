#include "bench/available_memory.h"

#include <unistd.h>

#include <fstream>

#include "engine/base/catch.h"

namespace hdbench {
namespace {

struct Meminfo {
  explicit Meminfo(const char* text)
      : folder(std::filesystem::temp_directory_path() /
               ("hdbench_meminfo_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "meminfo") << text;
  }
  ~Meminfo() { std::filesystem::remove_all(folder); }

  std::filesystem::path folder;
};

TEST_CASE("a kernel that does not say what is available gives nothing") {
  CHECK_FALSE(available_memory_bytes("/nowhere"));
  CHECK_FALSE(available_memory_bytes(Meminfo("").folder));
  CHECK_FALSE(available_memory_bytes(Meminfo("MemFree: 5 kB\n").folder));
  CHECK_FALSE(available_memory_bytes(Meminfo("MemAvailable: much\n").folder));
}

TEST_CASE("MemAvailable is found among the others, in bytes") {
  const Meminfo meminfo(
      "MemTotal:   24000 kB\nMemFree: 5 kB\nMemAvailable:   23 kB\nBuffers: 1 kB");
  CHECK(available_memory_bytes(meminfo.folder) == 23 * 1024);
}

TEST_CASE("the lowest is the least of all looks, and none without one") {
  LowestMemory lowest;
  CHECK_FALSE(lowest.bytes());
  lowest.take(std::nullopt);
  CHECK_FALSE(lowest.bytes());
  lowest.take(5);
  lowest.take(7);
  lowest.take(std::nullopt);
  CHECK(lowest.bytes() == 5);
  lowest.take(3);
  CHECK(lowest.bytes() == 3);
}

}  // namespace
}  // namespace hdbench
