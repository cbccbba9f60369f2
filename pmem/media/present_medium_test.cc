#include "pmem/media/present_medium.h"

#include "engine/base/catch.h"
#include "pmem/base/medium_spec.h"
#include "pmem/media/emulated_medium.h"
#include "pmem/persistent/libpmem_mapping.h"
#include "pmem/testing/test_machines.h"

namespace hdbench::pmem {
namespace {

using testing::contains;
using testing::FakeMachine;

Result<bool> is_pmem(const std::filesystem::path&) { return true; }
Result<bool> is_not_pmem(const std::filesystem::path&) { return false; }

Machine container() {
  FakeMachine fake;
  make_container(fake);
  return read_machine(fake.paths());
}

TEST_CASE("a bare word of what the machine lacks names its kind's default profile") {
  const Machine machine = container();
  const auto cxl = present_medium("cxl", {}, machine, is_not_pmem);
  CHECK(cxl.word == "cxl:cxl-asic-ddr5");
  CHECK(cxl.note ==
        "note: cxl: no CXL memory here (no NUMA nodes shown in /sys/devices/system/node); emulated "
        "by the profile cxl-asic-ddr5");
  const auto memory_mode = present_medium("memory-mode", {}, machine, is_not_pmem);
  CHECK(memory_mode.word == "memory-mode:optane-memory-mode+near=2GiB");
  CHECK(contains(memory_mode.note, "note: memory-mode: no Memory Mode here ("));
  CHECK(contains(memory_mode.note,
                 "; emulated by the profile optane-memory-mode with a near cache of 2GiB "
                 "(near=SIZE: another)"));
  const auto app_direct = present_medium("app-direct", {}, machine, is_not_pmem);
  CHECK(app_direct.word == "app-direct:optane-100-6dimm");
  CHECK(contains(app_direct.note, "note: app-direct: no persistent memory here ("));
  CHECK(contains(app_direct.note, "); emulated by the profile optane-100-6dimm"));
}

TEST_CASE("every default profile can be emulated as it is named") {
  const Machine machine = container();
  for (const std::string name : {"app-direct", "memory-mode", "cxl"}) {
    const auto word = parse_medium_spec(present_medium(name, {}, machine, is_not_pmem).word);
    REQUIRE(word.ok());
    CHECK(is_emulated(*word));
    CHECK(check_emulated(*word).ok());
  }
}

TEST_CASE("memory-mode with a near cache names its profile, without a note") {
  const auto present = present_medium("memory-mode:near=320MiB", {}, container(), is_not_pmem);
  CHECK(present.word == "memory-mode:optane-memory-mode+near=320MiB");
  CHECK(present.note.empty());
}

TEST_CASE("an interleave with CXL memory that is not there is emulated") {
  const auto present = present_medium("cxl:interleave=3:1", {}, container(), is_not_pmem);
  CHECK(present.word == "cxl:cxl-asic-ddr5+interleave=3:1");
  CHECK(testing::contains(present.note, "emulated by the profile cxl-asic-ddr5"));
}

TEST_CASE("words with a profile, of other media, and of none stay as they are") {
  const Machine machine = container();
  for (const std::string word :
       {"nvme", "dram", "tmpfs", "numa:1", "app-direct:optane-200-8dimm", "cxl:cxl-fpga",
        "memory-mode:optane-memory-mode", "cxl:cxl-asic-ddr5+interleave=3:1", "nvme:ebs-gp3", "",
        "floppy", "cxl:", "cxl:near=2GiB"}) {
    INFO(word);
    const auto present = present_medium(word, {}, machine, is_not_pmem);
    CHECK(present.word == word);
    CHECK(present.note.empty());
  }
}

TEST_CASE("the real thing is never replaced") {
  FakeMachine with_cxl;
  make_cxl(with_cxl);
  CHECK(present_medium("cxl", {}, read_machine(with_cxl.paths()), is_not_pmem).word == "cxl");
  FakeMachine cached;
  make_memory_mode(cached);
  CHECK(present_medium("memory-mode", {}, read_machine(cached.paths()), is_not_pmem).word ==
        "memory-mode");
  Machine machine = container();
  machine.mounts.push_back({"/mnt/pmem", "ext4", "/dev/pmem0", MountKind::kDisk, true, true});
  const auto present = present_medium("app-direct", {}, machine, is_pmem);
  CHECK(present.word ==
        (persistent_absence() == nullptr ? "app-direct" : "app-direct:optane-100-6dimm"));
}

TEST_CASE("CXL memory that cannot be had is emulated, with the reason") {
  FakeMachine fake;
  make_cxl(fake);
  Machine machine = read_machine(fake.paths());
  machine.nodes[1].unusable = "cannot bind memory to node 2: Operation not permitted";
  const auto present = present_medium("cxl", {}, machine, is_not_pmem);
  CHECK(present.word == "cxl:cxl-asic-ddr5");
  CHECK(contains(present.note, machine.nodes[1].unusable));
}

TEST_CASE("a directory that app-direct is given is never replaced by a profile") {
  MediumOptions options;
  options.pmem_dir = "/somewhere";
  CHECK(present_medium("app-direct", options, container(), is_not_pmem).word == "app-direct");
  CHECK(present_medium("cxl", options, container(), is_not_pmem).word == "cxl:cxl-asic-ddr5");
}

}  // namespace
}  // namespace hdbench::pmem
