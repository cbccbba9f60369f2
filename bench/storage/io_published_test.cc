#include "bench/storage/io_plan.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

IoTest named(const char* name, const char* engine, std::uint64_t block_bytes) {
  IoTest test;
  test.test = name;
  test.engine = engine;
  test.block_bytes = block_bytes;
  return test;
}

TEST_CASE("nothing is published of most tests, nor of other sizes and engines") {
  CHECK(published_of(named("set", "write", 0), 1).empty());
  CHECK(published_of(named("random-read", "mmap", 4096), 1).empty());
  CHECK(published_of(named("random-read", "direct", 8 << 20), 1).empty());
}

TEST_CASE("one process has the figures of one thread, more those of 36") {
  const std::string one = published_of(named("walk-list", "mmap", 0), 1);
  CHECK(one.find("2139") != std::string::npos);
  CHECK(one.find("3557") != std::string::npos);
  const std::string many = published_of(named("walk-list", "mmap", 0), 4);
  CHECK(many.find("9269") != std::string::npos);
  CHECK(many.find("28657") != std::string::npos);
}

TEST_CASE("calls have milliseconds") {
  CHECK(published_of(named("hcount", "calls", 0), 1) ==
        "NVMe 0.003, EBS gp2 0.002, io1 0.002, st1 0.002 ms");
}

}  // namespace
}  // namespace hdbench::bench
