#include "bench/storage/volumes/volume_caps.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::bench {

TEST_CASE("the emulator gives every class its own cap and no more") {
  for (const std::string& name : volume_class_names()) {
    INFO(name);
    const auto volume = volume_class(name);
    REQUIRE(volume.ok());
    for (const bool has_credits : {true, false}) {
      const DeviceCaps caps = has_credits ? burst_caps(*volume) : base_caps(*volume);
      const DeviceCaps rates = emulated_rates(*volume, has_credits);
      CHECK(rates.bytes_per_s == Approx(caps.bytes_per_s).epsilon(0.01));
      if (caps.ios_per_s > 0) CHECK(rates.ios_per_s == Approx(caps.ios_per_s).epsilon(0.01));
    }
  }
}

TEST_CASE("a random access on st1 costs a mebibyte in the emulator") {
  CHECK(emulated_rates(*volume_class("st1"), true).ios_per_s == Approx(500).epsilon(0.01));
}

TEST_CASE("an instance's cap holds in the emulator too") {
  CHECK(emulated_rates(*volume_class("io2,r4.4xlarge"), true).bytes_per_s ==
        Approx(437.5e6).epsilon(0.01));
}

TEST_CASE("the table counts what is within 5 per cent and keeps the reason for what is missing") {
  const std::vector<CapRow> rows{{"gp3", "MB/s", 131.072, 131.5, "loop0 (memory)", 131.072, ""},
                                 {"io2", "MB/s", 4194.304, {}, "", 4000.0, ""},
                                 {"io2", "IOPS", 256000, {}, "", 256000.0, "not shown: vda"}};
  const std::string text = caps_text(rows);
  CHECK(testing::contains(text, "131.5  +0.3%"));
  CHECK(testing::contains(text, "loop0 (memory)"));
  CHECK(testing::contains(text, "io2 IOPS: not shown: vda\n"));
  CHECK(testing::contains(text, "4 of 4 figures are within 5 %"));
  CHECK(testing::contains(caps_text({{"io2", "MB/s", 100, 106.0, "vda", {}, ""}}), "0 of 1"));
}

}  // namespace hdbench::bench
