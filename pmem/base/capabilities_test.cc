#include "pmem/base/capabilities.h"

#include <linux/capability.h>
#include <sys/prctl.h>

#include <cstdlib>

#include "engine/base/catch.h"
#include "engine/testing/child.h"

namespace hdbench::pmem {

TEST_CASE("what is given up is gone for good, and for what is executed") {
  CHECK(testing::status_of_child([] {
          if (!keep_capabilities(0).ok()) return 1;
          const CapabilitySets sets = read_capabilities();
          if (sets.effective != 0 || sets.permitted != 0) return 2;
          if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) return 3;
          if (!keep_capabilities(~std::uint64_t{0}).ok()) return 4;
          if (read_capabilities().permitted != 0) return 5;
          if (set_effective(capability_bit(CAP_SYS_ADMIN)).ok()) return 6;
          return system("grep -q '^CapEff:[[:space:]]*0*$' /proc/self/status") == 0 ? 0 : 7;
        }) == 0);
}

TEST_CASE("what is kept is what there was of it") {
  const CapabilitySets before = read_capabilities();
  const std::uint64_t wanted = capability_bit(CAP_SYS_PTRACE) | capability_bit(CAP_FOWNER);
  CHECK(testing::status_of_child([&] {
          if (!keep_capabilities(wanted).ok()) return 1;
          const CapabilitySets sets = read_capabilities();
          if (sets.permitted != (before.permitted & wanted)) return 2;
          return sets.effective == sets.permitted ? 0 : 3;
        }) == 0);
}

TEST_CASE("the effective ones can be lowered for a while") {
  CHECK(testing::status_of_child([] {
          const CapabilitySets before = read_capabilities();
          if (!set_effective(0).ok() || read_capabilities().effective != 0) return 1;
          if (has_capability(CAP_DAC_OVERRIDE)) return 2;
          if (!set_effective(before.effective).ok()) return 3;
          return read_capabilities().effective == before.effective ? 0 : 4;
        }) == 0);
}

}  // namespace hdbench::pmem
