// A device's profile.
#include "bench/base/layers.h"
#include "pmem/emulator/device_profile.h"
#include "tests/fuzz/fuzz_input.h"

namespace hdbench::fuzz {
using namespace bench;
using namespace pmem;
using namespace queries;
namespace {

void ask_device(const DeviceProfile& profile) {
  for (const auto kind : {AccessKind::kRead, AccessKind::kWrite}) {
    for (const auto pattern : {AccessPattern::kSequential, AccessPattern::kRandom}) {
      const BandwidthCurve& curve = profile.curve(kind, pattern);
      if (curve.known()) require(curve.at(2) > 0, "a bandwidth is above 0");
      require(profile.access_ns(kind, pattern) >= 0, "a latency is not below 0");
    }
  }
}

}  // namespace

void run_profile(Bytes input) {
  const auto profile = parse_profile(as_text(input), "fuzz.json");
  const auto errors = profile_errors(as_text(input), "fuzz.json");
  require(profile.ok() == errors.empty(), "a profile is good where it has no error");
  if (!profile.ok()) return;
  if (profile->near_cache == nullptr) return ask_device(*profile);
  ask_device(profile->near_cache->near);
  ask_device(profile->near_cache->far);
}

}  // namespace hdbench::fuzz
