#include "bench/storage/volumes/throttled_volume.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <condition_variable>
#include <mutex>

#include "engine/base/check.h"

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

// Setting a limit starts the kernel's slice anew, so small changes are not worth it.
constexpr double kWorthSetting = 0.02;

bool differs(const DeviceCaps& a, const DeviceCaps& b) {
  const auto far = [](double x, double y) { return std::abs(x - y) > kWorthSetting * y; };
  return far(a.bytes_per_s, b.bytes_per_s) || far(a.ios_per_s, b.ios_per_s);
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

CreditController::CreditController(const CreditBucket& bucket, double credits, double period_s)
    : bucket_(bucket), credits_(std::clamp(credits, 0.0, bucket.capacity)), period_s_(period_s) {
  HDB_CHECK(period_s > 0, "a period takes time");
}

double CreditController::step(double elapsed_s, double used) {
  // A debt is kept: what one period used too much, the next one goes without.
  credits_ = std::min(bucket_.capacity, credits_ + bucket_.refill_per_s * elapsed_s - used);
  return rate();
}

double CreditController::rate() const {
  const double least = bucket_.refill_per_s / 2;
  return std::clamp(bucket_.refill_per_s + credits_ / period_s_, least, bucket_.burst_per_s);
}

Result<std::unique_ptr<ThrottledVolume>> ThrottledVolume::enter(const VolumeClass& volume,
                                                                const Options& options,
                                                                Guard& guard,
                                                                const MachinePaths& paths) {
  std::unique_ptr<ThrottledVolume> held(new ThrottledVolume(volume));
  HDB_ASSIGN(held->throttle_, Throttle::make(options.device, guard, paths));
  held->caps_ = burst_caps(volume);
  if (volume.profile.credits) {
    const CreditBucket& bucket = *volume.profile.credits;
    held->credits_ =
        std::make_unique<CreditController>(bucket, options.credits.value_or(bucket.capacity),
                                           std::chrono::duration<double>(kControlPeriod).count());
    held->caps_ = caps_at(volume, held->credits_->rate());
  }
  HDB_TRY(held->throttle_->set(held->caps_));
  HDB_TRY(held->throttle_->enter());
  if (options.when_set_up) HDB_TRY(options.when_set_up());
  if (held->credits_)
    held->controller_ = std::jthread([h = held.get()](std::stop_token stop) { h->control(stop); });
  return held;
}

void ThrottledVolume::control(const std::stop_token& stop) {
  const bool by_bytes = volume_.profile.credits->unit == CreditBucket::Unit::kBytes;
  const auto used_until_now = [&] {
    const DeviceUse use = throttle_->use();
    return static_cast<double>(by_bytes ? use.bytes : use.ios);
  };
  auto last = std::chrono::steady_clock::now();
  double used_before = used_until_now();
  std::mutex mutex;
  std::condition_variable_any stop_asked;
  std::unique_lock lock(mutex);
  while (!stop_asked.wait_for(lock, stop, kControlPeriod, [&] { return stop.stop_requested(); })) {
    const auto now = std::chrono::steady_clock::now();
    const double used = used_until_now();
    const DeviceCaps caps = caps_at(
        volume_,
        credits_->step(std::chrono::duration<double>(now - last).count(), used - used_before));
    last = now;
    used_before = used;
    if (!differs(caps, caps_)) continue;
    if (throttle_->set(caps).ok()) caps_ = caps;
  }
}

std::string ThrottledVolume::describe() const {
  std::string text =
      fmt::format("{}: {}", volume_.name, hdbench::bench::describe(burst_caps(volume_)));
  if (volume_.profile.credits) {
    const CreditBucket& bucket = *volume_.profile.credits;
    const bool by_bytes = bucket.unit == CreditBucket::Unit::kBytes;
    text += fmt::format("; once {} are spent {}; looked at every {} ms",
                        by_bytes ? fmt::format("{:.0f} GB of credits", bucket.capacity / 1e9)
                                 : fmt::format("{:.0f} I/O credits", bucket.capacity),
                        hdbench::bench::describe(base_caps(volume_)), kControlPeriod.count());
  }
  return text + (throttle_->version() == CgroupVersion::kOne ? "; cgroup v1 blkio.throttle"
                                                             : "; cgroup v2 io.max");
}

std::vector<std::string> ThrottledVolume::shortcomings() const {
  std::vector<std::string> lines{
      "throttle: reads and writes are held to the caps each on their own; a volume's are shared"};
  if (throttle_->version() == CgroupVersion::kOne) {
    lines.emplace_back(
        "throttle: cgroup v1 does not hold back what the kernel writes by itself (pages that it "
        "flushes, a filesystem's journal), only what a process writes past the page cache or "
        "syncs");
  }
  if (volume_.profile.random_cost_bytes > 0) {
    lines.push_back(fmt::format(
        "throttle: the kernel charges a random access its own bytes, the class {} KiB at least: "
        "random figures here are too good; the emulator charges it",
        volume_.profile.random_cost_bytes >> 10));
  }
  if (volume_.profile.iops[0] > 0 || burst_caps(volume_).ios_per_s > 0) {
    lines.emplace_back(
        "throttle: the kernel counts a request as one I/O whatever its size; AWS counts one for "
        "each 256 KiB");
  }
  if (volume_.profile.latency.read_random_ns > 0 || volume_.profile.latency.write_ns > 0) {
    lines.emplace_back("throttle: the class's latency is not imitated, only its caps");
  }
  return lines;
}

}  // namespace hdbench::bench
