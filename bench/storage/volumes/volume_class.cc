#include "bench/storage/volumes/volume_class.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hdbench::bench {
namespace {

struct ShortName {
  std::string_view name;
  const char* profile;
  bool is_instance;
};

constexpr std::array<ShortName, 7> kShortNames{{{"gp2", "ebs-gp2", false},
                                                {"gp3", "ebs-gp3", false},
                                                {"io1", "ebs-io1", false},
                                                {"io2", "ebs-io2", false},
                                                {"st1", "ebs-st1", false},
                                                {"r4.4xlarge", "ec2-r4-4xlarge", true},
                                                {"r4.16xlarge", "ec2-r4-16xlarge", true}}};

const ShortName* find_short(std::string_view word) {
  const auto found = std::find_if(kShortNames.begin(), kShortNames.end(),
                                  [&](const ShortName& each) { return each.name == word; });
  return found == kShortNames.end() ? nullptr : &*found;
}

Result<DeviceProfile> profile_of(std::string_view word) {
  const ShortName* known = find_short(word);
  HDB_ASSIGN(DeviceProfile profile,
             load_profile(known == nullptr ? std::string(word) : known->profile));
  if (profile.kind != DeviceKind::kBlock || profile.near_cache) {
    return usage_error(fmt::format("--volume: {} is memory, expected a disk's profile", word));
  }
  return profile;
}

double read_gb_s(const DeviceProfile& profile) {
  return profile.curve(AccessKind::kRead, AccessPattern::kSequential).at(1);
}

double least_above_0(double a, double b) {
  if (a == 0 || b == 0) return std::max(a, b);
  return std::min(a, b);
}

}  // namespace

Result<VolumeClass> volume_class(std::string_view words) {
  const std::size_t comma = words.find(',');
  if (words.substr(0, comma).empty()) return usage_error("--volume: no class is named");
  HDB_ASSIGN(DeviceProfile profile, profile_of(words.substr(0, comma)));
  if (comma != std::string_view::npos) {
    const std::string_view instance = words.substr(comma + 1);
    const ShortName* known = find_short(instance);
    if (known == nullptr || !known->is_instance) {
      return usage_error(fmt::format(
          "--volume: '{}' is no instance: known are r4.4xlarge, r4.16xlarge", instance));
    }
    HDB_ASSIGN(const DeviceProfile host, profile_of(instance));
    profile.instance_gb_s = least_above_0(profile.instance_gb_s, read_gb_s(host));
  }
  return VolumeClass{std::string(words), std::move(profile)};
}

std::vector<std::string> volume_class_names() {
  std::vector<std::string> names;
  for (const ShortName& each : kShortNames) names.emplace_back(each.name);
  return names;
}

DeviceCaps caps_at(const VolumeClass& volume, double credit_rate) {
  const DeviceProfile& profile = volume.profile;
  DeviceCaps caps{read_gb_s(profile) * 1e9, profile.iops[0]};
  if (profile.credits) {
    double& capped =
        profile.credits->unit == CreditBucket::Unit::kBytes ? caps.bytes_per_s : caps.ios_per_s;
    capped = least_above_0(capped, credit_rate);
  }
  caps.bytes_per_s = least_above_0(caps.bytes_per_s, profile.instance_gb_s * 1e9);
  return caps;
}

DeviceCaps burst_caps(const VolumeClass& volume) {
  return caps_at(volume, volume.profile.credits.value_or(CreditBucket{}).burst_per_s);
}

DeviceCaps base_caps(const VolumeClass& volume) {
  return caps_at(volume, volume.profile.credits.value_or(CreditBucket{}).refill_per_s);
}

std::string describe(const DeviceCaps& caps) {
  std::string text = caps.bytes_per_s > 0 ? fmt::format("{:.1f} MB/s", caps.bytes_per_s / 1e6)
                                          : std::string("no cap of MB/s");
  if (caps.ios_per_s > 0) text += fmt::format(", {:.0f} IOPS", caps.ios_per_s);
  return text;
}

}  // namespace hdbench::bench
