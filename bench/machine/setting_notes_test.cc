#include "bench/machine/setting_notes.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

BlockDevice disk_with(std::optional<std::uint64_t> readahead_kib) {
  BlockDevice device;
  device.name = "vda1";
  device.disk = "vda";
  if (readahead_kib) device.readahead_bytes = *readahead_kib << 10;
  return device;
}

TEST_CASE("a readahead is told from three times 64 KiB on, with the command") {
  CHECK_FALSE(readahead_note(disk_with(std::nullopt)));
  CHECK_FALSE(readahead_note(disk_with(0)));
  CHECK_FALSE(readahead_note(disk_with(128)));
  CHECK(readahead_note(disk_with(192)));
  const auto note = readahead_note(disk_with(8192));
  REQUIRE(note);
  CHECK(note->text.find("gives 128 times that") != std::string::npos);
  CHECK(note->text.find("echo 128 > /sys/block/vda/queue/read_ahead_kb") != std::string::npos);
  CHECK(note->seen() == "/dev/vda reads 8192 KiB around a page that is touched");
}

TEST_CASE("a quota is reported where it is less than the CPUs") {
  CgroupLimits limits;
  CHECK_FALSE(quota_note(limits, 4));
  limits.cpus = 4;
  CHECK_FALSE(quota_note(limits, 4));
  limits.cpus = 1.5;
  REQUIRE(quota_note(limits, 4));
  CHECK(
      quota_note(limits, 4)->text.starts_with("a control group gives the time of 1.5 CPUs, of 4:"));
}

TEST_CASE("what a quota did is reported with its periods") {
  CHECK_FALSE(throttled_note({100, 0}, 1.5));
  const auto note = throttled_note({100, 30}, 1.5);
  REQUIRE(note);
  CHECK(note->name == std::string(kThrottledNote));
  CHECK(note->text.find("(the time of 1.5 CPUs) stopped the process in 30 of 100 periods") !=
        std::string::npos);
  CHECK(throttled_note({100, 30}, std::nullopt));
}

TEST_CASE("uneven CPUs are reported, with what the host tells of why") {
  Host host;
  host.cpus = 16;
  host.cores = 16;
  CHECK_FALSE(uneven_note(16, 0, host));  // not known
  CHECK_FALSE(uneven_note(16, 0.8, host));
  CHECK_FALSE(uneven_note(32, 0.5, host));  // threads share CPUs
  CHECK(uneven_note(16, 0.5, host)->seen() ==
        "the slowest of 16 threads read 0.50 times an even share");
  CHECK(uneven_note(16, 0.5, host)->text.find("a hypervisor") != std::string::npos);
  host.quota_cpus = 3.5;
  CHECK(uneven_note(16, 0.5, host)->text.find("the time of 3.5 CPUs") != std::string::npos);
  host.cores = 8;
  CHECK(uneven_note(16, 0.5, host)->text.find("8 cores") != std::string::npos);
}

TEST_CASE("more threads than CPUs are reported") {
  CHECK_FALSE(threads_note(2, 2));
  CHECK_FALSE(threads_note(8, 0));
  REQUIRE(threads_note(8, 2));
  CHECK(threads_note(8, 2)->seen() == "-s 8 is above the 2 CPUs that may be used");
}

TEST_CASE("tables that the last-level cache holds are reported") {
  CHECK_FALSE(cached_note(0, 100));
  CHECK_FALSE(cached_note(101, 100));
  CHECK_FALSE(cached_note(5, 0));
  REQUIRE(cached_note(std::uint64_t{1} << 20, std::uint64_t{33} << 20));
  CHECK(cached_note(std::uint64_t{1} << 20, std::uint64_t{33} << 20)->seen() ==
        "the queried tables (1 MiB) fit in the last-level cache (33 MiB)");
}

}  // namespace
}  // namespace hdbench::bench
