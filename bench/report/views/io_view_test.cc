#include "bench/report/views/io_view.h"

#include "engine/base/catch.h"

namespace hdbench {
namespace {

IoResult random_read(std::uint64_t block, double mb_per_s, std::size_t processes = 1) {
  IoResult result;
  result.test = "random-read";
  result.group = "read";
  result.unit = "MB/s";
  result.engine = "mmap";
  result.cache = "cold";
  result.block_bytes = block;
  result.processes = processes;
  result.samples = {mb_per_s};
  result.median = mb_per_s;
  return result;
}

}  // namespace

TEST_CASE("no result, no chart and no latency") {
  CHECK(block_charts({}).empty());
  CHECK(latency_lines({}).empty());
}

TEST_CASE("one block is no chart; two are, with a line for each process count") {
  CHECK(block_charts({random_read(4096, 10)}).empty());
  const auto charts =
      block_charts({random_read(65536, 100), random_read(4096, 10), random_read(4096, 18, 2)});
  REQUIRE(charts.size() == 1);
  CHECK(charts[0].title == "random-read, cold");
  CHECK(charts[0].blocks == std::vector<std::uint64_t>{4096, 65536});
  REQUIRE(charts[0].lines.size() == 2);
  CHECK(charts[0].lines[0].label == "mmap, 1 process");
  CHECK(*charts[0].lines[0].mb_per_s[0] == 10);
  CHECK(*charts[0].lines[0].mb_per_s[1] == 100);
  CHECK(charts[0].lines[1].label == "mmap, 2 processes");
  CHECK(!charts[0].lines[1].mb_per_s[1]);
}

TEST_CASE("a figure above its ceiling is in no chart") {
  IoResult above = random_read(65536, 99999);
  above.above_ceiling = true;
  CHECK(block_charts({random_read(4096, 10), above}).empty());
}

TEST_CASE("latencies are of what is counted by the operation, and of cold random reads") {
  IoResult call = random_read(0, 0.01);
  call.test = "hcount";
  call.unit = "ms";
  call.engine = "calls";
  call.cache = "none";
  call.latency.p50 = 9000;
  IoResult read = random_read(4096, 10);
  read.latency.p50 = 90000;
  IoResult warm = read;
  warm.cache = "warm";
  const auto lines = latency_lines({call, read, warm, random_read(4096, 5)});
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].label == "hcount, calls, 1 process");
  CHECK(lines[1].label == "random-read, 4 KiB, mmap, 1 process");
}

TEST_CASE("a block is said in its largest whole unit") {
  CHECK(block_text(100) == "100 B");
  CHECK(block_text(4096) == "4 KiB");
  CHECK(block_text(1 << 20) == "1 MiB");
}

}  // namespace hdbench
