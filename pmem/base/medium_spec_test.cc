#include "pmem/base/medium_spec.h"

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

std::string refused(const std::string& text) {
  const auto word = parse_medium_spec(text);
  REQUIRE_FALSE(word.ok());
  CHECK(word.error().kind == ErrorKind::kUsage);
  return word.error().message;
}

TEST_CASE("an unknown medium is refused with the known ones") {
  CHECK(refused("") ==
        "unknown medium ''; known are nvme, dram, tmpfs, app-direct, memory-mode, cxl, numa");
  CHECK(testing::contains(refused("nmve"), "; did you mean 'nvme'?"));
  CHECK(testing::contains(refused("floppy:3"), "unknown medium 'floppy'"));
  CHECK(testing::contains(refused("DRAM"), "unknown medium 'DRAM'"));
}

TEST_CASE("parts that are empty, twice there or not the medium's are refused by name") {
  CHECK(refused("cxl:") == "medium 'cxl:': an empty part");
  CHECK(refused("cxl:a+") == "medium 'cxl:a+': an empty part");
  CHECK(refused("cxl:a+b") == "medium 'cxl:a+b': two profiles");
  CHECK(refused("dram:fast") == "medium 'dram:fast': dram has no profiles");
  CHECK(refused("dram:near=1") == "medium 'dram:near=1': dram has no option 'near'");
  CHECK(refused("cxl:near=1") ==
        "medium 'cxl:near=1': near is a profile's, such as cxl:cxl-dram-cache-nand+near=2GiB");
  CHECK(refused("cxl:p+local=q") ==
        "medium 'cxl:p+local=q': local is of an emulated interleave, such as "
        "cxl:cxl-cz122+interleave=3:1+local=ddr5-6400-12ch");
  CHECK(refused("cxl:=1") ==
        "medium 'cxl:=1': cxl has no option ''; it has interleave, local, near");
  CHECK(refused("cxl:interleave=1:1+interleave=1:1") ==
        "medium 'cxl:interleave=1:1+interleave=1:1': interleave is said twice");
}

TEST_CASE("a node is a number") {
  for (const std::string text : {"numa", "numa:", "numa:x", "numa:-1", "numa:1+2", "numa:99999"}) {
    CHECK(refused(text) == "medium '" + text + "': name a node: numa:0");
  }
  const auto word = parse_medium_spec("numa:12");
  REQUIRE(word.ok());
  CHECK(word->options.at("node") == "12");
  CHECK(to_text(*word) == "numa:12");
}

TEST_CASE("values are checked where they are written") {
  for (const std::string value : {"", "3", "3:", ":1", "0:1", "3:256", "3:1:1", "-1:1", "a:b"}) {
    CHECK(testing::contains(refused("cxl:interleave=" + value), "interleave is LOCAL:FAR"));
  }
  for (const std::string value :
       {"", "0", "GiB", "2gb", "2 GiB", "-2GiB", "20000000000GiB", "inf"}) {
    CHECK(testing::contains(refused("memory-mode:near=" + value), "a size is a number"));
  }
  for (const std::string value : {"%", "0%", "101%", "-1%", "a%", "25 %"}) {
    CHECK(testing::contains(refused("memory-mode:near=" + value), "a share of the data is"));
  }
  CHECK(parse_near("25%")->share == 0.25);
  CHECK(parse_near("25%")->bytes == 0);
  CHECK(parse_near("2GiB")->bytes == std::uint64_t{2} << 30);
  CHECK(*parse_size("3GB") == 3'000'000'000);
  CHECK(*parse_size("1.5TB") == 1'500'000'000'000);
  CHECK(*parse_size("0.5KiB") == 512);
  CHECK(*parse_size("65536") == 65536);
  CHECK(*parse_size("2GiB") == std::uint64_t{2} << 30);
  CHECK(parse_interleave("3:1")->local == 3);
  CHECK(parse_interleave("255:1")->far == 1);
}

TEST_CASE("words read back as they were written") {
  for (const std::string text :
       {"nvme", "dram", "app-direct:optane-100-6dimm", "cxl:interleave=3:1", "nvme:ebs-gp3",
        "memory-mode:near=12.5%", "cxl:cxl-asic-ddr5+interleave=3:1",
        "memory-mode:optane-100-6dimm+near=2GiB"}) {
    const auto word = parse_medium_spec(text);
    REQUIRE(word.ok());
    CHECK(to_text(*word) == text);
  }
  const auto word = parse_medium_spec("memory-mode:near=2GiB+optane-100-6dimm");
  REQUIRE(word.ok());
  CHECK(word->profile == "optane-100-6dimm");
  CHECK(word->options.at("near") == "2GiB");
}

}  // namespace
}  // namespace hdbench::pmem
