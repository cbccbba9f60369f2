// Media that the machine has not: which words make one, and what is charged for their bytes.
#include "pmem/media/emulated_medium.h"

#include <fstream>

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

using namespace hdbench;
using namespace hdbench::pmem;

namespace {

Result<std::unique_ptr<EmulatedMedium>> made(const std::string& text) {
  EmulationOptions options;
  options.mode = EmulationMode::kModel;
  return make_emulated(*parse_medium_spec(text), options);
}

EmulationResult scanned(EmulatedMedium& medium, std::span<const std::byte> bytes) {
  medium.meter()->begin(1);
  medium.meter()->access(
      {bytes.data(), bytes.size() / 8, 8, nullptr, bytes.size(), AccessKind::kRead, 0});
  return medium.meter()->settle();
}

}  // namespace

TEST_CASE("a device is emulated as the medium that it is, and by nodes never") {
  CHECK(made("cxl:optane-100-6dimm").error().message ==
        "cxl:optane-100-6dimm: optane-100-6dimm is a device of app-direct: write "
        "app-direct:optane-100-6dimm");
  CHECK(testing::contains(made("app-direct:cxl-asic-ddr5").error().message,
                          "write cxl:cxl-asic-ddr5"));
  for (const std::string word : {"cxl:ddr4-2933-6ch", "memory-mode:ddr4-2933-6ch+near=1GiB"}) {
    CHECK(testing::contains(made(word).error().message,
                            "ddr4-2933-6ch is DRAM, the near memory of other profiles, and no "
                            "device of "));
  }
}

TEST_CASE("a CXL card with a near cache is told its size") {
  CHECK(made("cxl:cxl-dram-cache-nand").error().message ==
        "cxl:cxl-dram-cache-nand: how large is the near cache? e.g. "
        "cxl:cxl-dram-cache-nand+near=2GiB");
  CHECK(made("cxl:cxl-dram-cache-nand+near=16MiB").ok());
}

TEST_CASE("pages are shared by the ratio between DRAM and the emulated device") {
  const auto medium = made("cxl:cxl-asic-ddr5+interleave=3:1");
  REQUIRE(medium.ok());
  CHECK((*medium)->label() == "emulated (cxl-asic-ddr5, model, interleave 3:1)");
  CHECK(testing::contains((*medium)->note(), "is not shown"));
  const auto region = (*medium)->store()->allocate(std::size_t{4} << 20);
  REQUIRE(region.ok());
  const EmulationResult result = scanned(**medium, region->bytes);
  CHECK(result.devices[0].read_bytes == std::uint64_t{1} << 20);
  CHECK(result.devices[0].media.read == std::uint64_t{1} << 20);
  CHECK(result.devices.back().read_bytes == std::uint64_t{3} << 20);
  CHECK(testing::contains(made("cxl:cxl-dram-cache-nand+near=2GiB+interleave=3:1").error().message,
                          "interleave is of memory without a near cache"));
}

TEST_CASE("a near cache may be a share of the data, once these are known") {
  CHECK(testing::contains(made("memory-mode:near=25%").error().message, "expected a size"));
  CHECK(check_emulated(*parse_medium_spec("memory-mode:near=25%")).ok());
  EmulationOptions options;
  options.mode = EmulationMode::kModel;
  options.data_bytes = std::uint64_t{40} << 20;
  const auto medium = make_emulated(*parse_medium_spec("memory-mode:near=25%"), options);
  REQUIRE(medium.ok());
  CHECK((*medium)->near_cache_bytes() == std::uint64_t{10} << 20);
  CHECK((*medium)->name() == "memory-mode:near=25%");
  CHECK((*medium)->label() == "emulated (optane-memory-mode, model, near 25% = 10.0 MiB)");
  options.data_bytes = 100;
  const auto least = make_emulated(*parse_medium_spec("memory-mode:near=25%"), options);
  REQUIRE(least.ok());
  CHECK((*least)->near_cache_bytes() == std::uint64_t{1} << 20);
}

TEST_CASE("memory is charged every time that it is accesses, and has no cold state") {
  const auto medium = made("app-direct:optane-100-6dimm");
  REQUIRE(medium.ok());
  CHECK((*medium)->emulated());
  CHECK((*medium)->label() == "emulated (optane-100-6dimm, model)");
  CHECK_FALSE((*medium)->prepare(Cache::kCold).ok());
  const auto region = (*medium)->store()->allocate(std::size_t{1} << 20);
  REQUIRE(region.ok());
  for (int k = 0; k < 2; ++k) {
    const EmulationResult result = scanned(**medium, region->bytes);
    CHECK(result.devices[0].read_bytes == region->bytes.size());
    CHECK(result.devices[0].media.read == region->bytes.size());
  }
}

TEST_CASE("a disk's file is charged once, until it is made cold") {
  const testing::TemporaryDirectory directory;
  const auto path = directory.path() / "column";
  std::ofstream(path) << std::string(100'000, 'x');
  const auto medium = made("nvme:ebs-gp3");
  REQUIRE(medium.ok());
  CHECK((*medium)->has_cache());
  const auto mapping = (*medium)->store()->map(path);
  REQUIRE(mapping.ok());
  REQUIRE((*medium)->prepare(Cache::kCold).ok());
  // Whole pages of the device.
  CHECK(scanned(**medium, mapping->bytes).devices[0].media.read == 25 * 4096);
  CHECK(scanned(**medium, mapping->bytes).devices[0].media.read == 0);
  REQUIRE((*medium)->prepare(Cache::kCold).ok());
  CHECK(scanned(**medium, mapping->bytes).devices[0].media.read == 25 * 4096);
  REQUIRE((*medium)->prepare(Cache::kCold).ok());
  REQUIRE((*medium)->prepare(Cache::kWarm).ok());
  CHECK(scanned(**medium, mapping->bytes).devices[0].media.read == 0);
}
