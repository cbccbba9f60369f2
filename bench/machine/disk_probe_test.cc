// The probe of a disk, on a small file: what it says, and what it refuses.
#include "bench/machine/disk_probe.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

using namespace hdbench;
using namespace hdbench::bench;

namespace {

DiskProbeOptions small() {
  DiskProbeOptions options;
  options.file_bytes = std::size_t{32} << 20;
  options.threads_max = 2;
  options.rounds = 1;
  options.pass_seconds = 0.02;
  options.idle_seconds = 0.01;
  options.burst_seconds = 0.02;
  return options;
}

bool go_on(std::size_t, std::size_t) { return true; }

}  // namespace

TEST_CASE("memory is no disk, and a directory that is not there has no disk") {
  const auto memory = probe_disk("/dev/shm", small(), go_on);
  REQUIRE_FALSE(memory.ok());
  CHECK(memory.error().message.find("is memory, not a disk") != std::string::npos);
  CHECK_FALSE(probe_disk("/no/such/directory", small(), go_on).ok());
}

TEST_CASE("a disk's probe has a figure for every pass, and leaves nothing behind") {
  const testing::TemporaryDirectory directory;
  const auto device = probe_disk(directory.path(), small(), go_on);
  if (!device.ok()) {
    WARN("no disk here: " << device.error().message);
    return;
  }
  REQUIRE(device->sequential_read.size() == 2);
  CHECK(device->sequential_read[1].threads == 2);
  for (const auto* points :
       {&device->sequential_read, &device->random_read, &device->sequential_write}) {
    REQUIRE(points->size() == 2);
    for (const ProbedPoint& point : *points) CHECK(point.gb_s > 0);
  }
  REQUIRE_FALSE(device->small_files.empty());
  CHECK(device->small_files.front().bytes == kSmallFileBytes.front());
  for (const ProbedFiles& size : device->small_files) CHECK(size.points.front().gb_s > 0);
  CHECK(device->read_ns > 0);
  CHECK_FALSE(
      probe_disk(directory.path(), small(), [](std::size_t, std::size_t) { return false; }).ok());
  CHECK(std::filesystem::is_empty(directory.path()));
}
