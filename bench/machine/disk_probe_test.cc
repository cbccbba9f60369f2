#include "bench/machine/disk_probe.h"

#include <cmath>
#include <random>
#include <vector>

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::bench {
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

constexpr double kRead = 1 << 20;

// A bucket's: how long each of so many reads takes that follow one another.
std::vector<double> reads_through(double bytes, double rate, double own_rate, bool in_steps,
                                  std::size_t count) {
  std::vector<double> seconds;
  double now = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double taken = static_cast<double>(i + 1) * kRead;
    double allowed_at = (taken - bytes) / rate;
    if (in_steps) allowed_at = std::ceil(taken / bytes - 1) * bytes / rate;
    const double end = std::max(now, allowed_at) + kRead / own_rate;
    seconds.push_back(end - now);
    now = end;
  }
  return seconds;
}

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

TEST_CASE("a pass that is over before a thread has started has a rate all the same") {
  const testing::TemporaryDirectory directory;
  DiskProbeOptions options = small();
  options.pass_seconds = 0;
  const auto device = probe_disk(directory.path(), options, go_on);
  if (!device.ok()) {
    WARN("no disk here: " << device.error().message);
    return;
  }
  for (const auto* points : {&device->random_read, &device->sequential_write}) {
    for (const ProbedPoint& point : *points) CHECK(point.gb_s > 0);
  }
}

TEST_CASE("no reads, few reads and reads that are all alike show no burst") {
  CHECK_FALSE(fit_burst({}, kRead));
  CHECK_FALSE(fit_burst(std::vector<double>(3, 0.001), kRead));
  CHECK_FALSE(fit_burst(std::vector<double>(200, 0.001), kRead));
}

TEST_CASE("reads of a noisy disk show no burst") {
  std::mt19937 random(1);
  std::vector<double> seconds;
  for (int i = 0; i < 300; ++i) {
    const auto times = static_cast<double>(random() % 40 + 2);
    seconds.push_back(random() % 10 == 0 ? 0.001 * times : 0.001);
  }
  CHECK_FALSE(fit_burst(seconds, kRead));
}

TEST_CASE("a bucket larger than all that was read is not found") {
  CHECK_FALSE(fit_burst(reads_through(1e9, 170e6, 1.3e9, false, 200), kRead));
}

TEST_CASE("a bucket that is refilled in steps is found with its size, its rates and its form") {
  for (const double rate : {60e6, 170e6}) {
    const auto burst = fit_burst(reads_through(rate / 10, rate, 1.3e9, true, 200), kRead);
    REQUIRE(burst);
    CHECK(burst->in_steps);
    CHECK(burst->bytes == Approx(rate / 10).epsilon(0.03));
    CHECK(burst->refill_gb_s == Approx(rate / 1e9).epsilon(0.03));
    CHECK(burst->gb_s == Approx(1.3).epsilon(0.001));
  }
}

TEST_CASE("a bucket that is refilled evenly is found with its size, its rates and its form") {
  const auto burst = fit_burst(reads_through(16e6, 100e6, 1.3e9, false, 200), kRead);
  REQUIRE(burst);
  CHECK_FALSE(burst->in_steps);
  CHECK(burst->bytes == Approx(16e6).epsilon(0.08));
  CHECK(burst->refill_gb_s == Approx(0.1).epsilon(0.001));
}

}  // namespace
}  // namespace hdbench::bench
