#include "bench/cli/machine_flags.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("what a disk is held to has the credits in its name where they are given") {
  MachineFlags flags;
  CHECK(flags.volume_word().empty());
  flags.credits = 5;
  CHECK(flags.volume_word().empty());
  flags.volume = "gp2";
  CHECK(flags.volume_word() == "gp2;credits=5");
  flags.credits.reset();
  CHECK(flags.volume_word() == "gp2");
}

TEST_CASE("flags of the machine that do not go together are refused") {
  MachineFlags flags;
  CHECK(check_machine_flags(flags).ok());
  flags.volume = "gp3";
  flags.credits = -1;
  CHECK_FALSE(check_machine_flags(flags).ok());
  flags.volume.clear();
  flags.credits = 1;
  CHECK(check_machine_flags(flags).error().message == "--credits: only with --volume");
}

}  // namespace
}  // namespace hdbench::bench
