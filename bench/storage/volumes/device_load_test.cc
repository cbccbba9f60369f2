#include "bench/storage/volumes/device_load.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench {

TEST_CASE("a device that is not there, or is too small, is an error") {
  const testing::TemporaryDirectory folder(testing::directory_on_disk());
  const std::atomic<bool> stop{false};
  CHECK(!read_rate((folder.path() / "none").string(), {}, stop).ok());
  const auto small = folder.path() / "small";
  testing::write_bytes(small, testing::known_bytes(8192));
  CHECK(!read_rate(small.string(), {}, stop).ok());
}

TEST_CASE("bytes are the blocks that were read, and a stop ends it") {
  const testing::TemporaryDirectory folder(testing::directory_on_disk());
  const auto file = folder.path() / "file";
  testing::write_bytes(file, testing::known_bytes(std::size_t{1} << 20));
  std::atomic<bool> stop{false};
  const DeviceLoad load{2, 4096, true, 0.01, 0.05};
  const auto rate = read_rate(file.string(), load, stop);
  REQUIRE(rate.ok());
  CHECK(rate->ios_per_s > 0);
  CHECK(rate->bytes_per_s == Approx(rate->ios_per_s * 4096));
  stop = true;
  CHECK(read_rate(file.string(), load, stop).error().message == "interrupted");
}

}  // namespace hdbench
