#include "bench/storage/volumes/volume_class.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::bench {

TEST_CASE("a class that is none is refused by name") {
  CHECK(!volume_class("").ok());
  CHECK(testing::contains(volume_class("gp9").error().message, "gp9"));
  CHECK(testing::contains(volume_class("gp3,big").error().message, "'big' is no instance"));
  CHECK(testing::contains(volume_class("gp3,gp2").error().message, "'gp2' is no instance"));
  CHECK(testing::contains(volume_class("cxl-fpga").error().message, "is memory"));
}

TEST_CASE("every short name has a profile and a cap") {
  for (const std::string& name : volume_class_names()) {
    INFO(name);
    const auto volume = volume_class(name);
    REQUIRE(volume.ok());
    CHECK(burst_caps(*volume).bytes_per_s > 0);
  }
}

TEST_CASE("caps are the profile's figures") {
  const auto gp3 = volume_class("gp3");
  REQUIRE(gp3.ok());
  CHECK(burst_caps(*gp3) == DeviceCaps{131072000, 3000});
  CHECK(base_caps(*gp3) == burst_caps(*gp3));
  CHECK(describe(burst_caps(*gp3)) == "131.1 MB/s, 3000 IOPS");
}

TEST_CASE("credits of I/Os lower the IOPS, credits of bytes the bandwidth") {
  const auto gp2 = volume_class("gp2");
  REQUIRE(gp2.ok());
  CHECK(burst_caps(*gp2) == DeviceCaps{262144000, 3000});
  CHECK(base_caps(*gp2) == DeviceCaps{262144000, 1500});
  CHECK(caps_at(*gp2, 2000).ios_per_s == 2000);
  const auto st1 = volume_class("st1");
  REQUIRE(st1.ok());
  CHECK(burst_caps(*st1) == DeviceCaps{524288000, 0});
  CHECK(base_caps(*st1) == DeviceCaps{209715200, 0});
  CHECK(describe(base_caps(*st1)) == "209.7 MB/s");
}

TEST_CASE("an instance's cap holds where the volume's is higher") {
  CHECK(burst_caps(*volume_class("io2,r4.4xlarge")).bytes_per_s == Approx(437.5e6));
  CHECK(burst_caps(*volume_class("io2,r4.4xlarge")).ios_per_s == Approx(256000));
  CHECK(burst_caps(*volume_class("gp3,r4.4xlarge")).bytes_per_s == Approx(131072000));
  CHECK(burst_caps(*volume_class("r4.16xlarge")).bytes_per_s == Approx(1.28e9));
  CHECK(volume_class("io2,r4.4xlarge")->profile.instance_gb_s == Approx(0.4375));
}

}  // namespace hdbench::bench
