#include "bench/storage/volumes/volume_caps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/storage/volumes/device_load.h"
#include "bench/storage/volumes/filled_file.h"
#include "bench/storage/volumes/memory_disk.h"
#include "bench/storage/volumes/throttled_volume.h"
#include "pmem/emulator/device_account.h"

namespace hdbench {
namespace {

// A disk shows a cap only where it is clearly faster than the cap itself.
constexpr double kFasterThanCap = 1.2;
constexpr std::uint64_t kDiskBytes = std::uint64_t{256} << 20;
constexpr std::size_t kPageBytes = 4096;
constexpr double kWithin = 0.05;
constexpr std::size_t kStepsMax = 1000000;
constexpr std::size_t kStepsMeasured = 200;

// Transactions that come when the last ones are done. Gives those a second, at the end.
double closed_loop(DeviceAccount& account, AccessPattern pattern, std::uint64_t transactions,
                   double skipped_s) {
  std::int64_t now = 0;
  for (std::size_t k = 0; k < kStepsMax && static_cast<double>(now) < skipped_s * 1e9; ++k) {
    now = account.charge({AccessKind::kRead, pattern, transactions, 0, 0}, now).deadline_ns;
  }
  const std::int64_t begin = now;
  for (std::size_t k = 0; k < kStepsMeasured; ++k) {
    now = account.charge({AccessKind::kRead, pattern, transactions, 0, 0}, now).deadline_ns;
  }
  const double seconds = static_cast<double>(now - begin) / 1e9;
  return static_cast<double>(transactions * kStepsMeasured) / seconds;
}

// How long the bucket lasts at the burst rate, and a little.
double seconds_to_spend(const VolumeClass& volume) {
  if (!volume.profile.credits) return 0;
  const CreditBucket& bucket = *volume.profile.credits;
  return 1.1 * bucket.capacity / (bucket.burst_per_s - bucket.refill_per_s);
}

struct Disk {
  std::string path;
  std::string number;
  std::string name;
  DeviceRate free;  // unthrottled: bandwidth of 1 MiB, I/Os of 4 KiB
};

class Kernel {
 public:
  Kernel(double seconds, Guard& guard, const std::atomic<bool>& stop)
      : seconds_(seconds), guard_(guard), stop_(stop) {}

  Status add_disk(Disk disk) {
    HDB_ASSIGN(const DeviceRate bytes, read_rate(disk.path, bandwidth_load(), stop_));
    HDB_ASSIGN(const DeviceRate ios, read_rate(disk.path, ios_load(), stop_));
    disk.free = {bytes.bytes_per_s, ios.ios_per_s};
    disks_.push_back(std::move(disk));
    return ok_status();
  }

  // Of the first disk that is fast enough.
  Status measure(const VolumeClass& volume, bool has_credits, bool by_bytes, CapRow& row) {
    const double cap = row.published * (by_bytes ? 1e6 : 1);
    const auto free = [&](const Disk& disk) {
      return by_bytes ? disk.free.bytes_per_s : disk.free.ios_per_s;
    };
    const auto disk = std::find_if(disks_.begin(), disks_.end(), [&](const Disk& each) {
      return free(each) >= kFasterThanCap * cap;
    });
    if (disk == disks_.end()) {
      for (const Disk& each : disks_) {
        row.note += fmt::format("{}{} itself gives {:.0f}", row.note.empty() ? "" : ", ", each.name,
                                free(each) / (by_bytes ? 1e6 : 1));
      }
      row.note = "not shown: " + row.note;
      return ok_status();
    }
    ThrottledVolume::Options options{disk->number, {}};
    if (!has_credits) options.credits = 0;
    HDB_ASSIGN(const auto held, ThrottledVolume::enter(volume, options, guard_));
    HDB_ASSIGN(const DeviceRate rate,
               read_rate(disk->path, by_bytes ? bandwidth_load() : ios_load(), stop_));
    row.kernel = by_bytes ? rate.bytes_per_s / 1e6 : rate.ios_per_s;
    row.disk = disk->name;
    return ok_status();
  }

 private:
  DeviceLoad bandwidth_load() const {
    DeviceLoad load;
    load.seconds = seconds_;
    return load;
  }
  DeviceLoad ios_load() const {
    DeviceLoad load = bandwidth_load();
    load.block_bytes = kPageBytes;
    load.random = true;
    return load;
  }

  double seconds_;
  Guard& guard_;
  const std::atomic<bool>& stop_;
  std::vector<Disk> disks_;
};

// What the disks need as long as they are measured.
struct Kept {
  FileHandle file;
  std::optional<MemoryDisk> memory;
};

// By a file on it: the device itself may not be this process's to read.
Status add_disk_below(Kernel& kernel, const std::filesystem::path& path,
                      const std::atomic<bool>& stop, Kept& kept) {
  HDB_ASSIGN(const WholeDisk disk, whole_disk(path));
  HDB_ASSIGN(kept.file, filled_file(path, kDiskBytes, stop));
  return kernel.add_disk(
      {fmt::format("/proc/self/fd/{}", kept.file.descriptor()), disk.number, disk.name, {}});
}

Status add_memory_disk(Kernel& kernel, Guard& guard, const std::atomic<bool>& stop, Kept& kept) {
  HDB_ASSIGN(MemoryDisk made, make_memory_disk(kDiskBytes, guard, stop));
  kept.memory = std::move(made);
  const MemoryDisk& disk = *kept.memory;
  return kernel.add_disk({disk.path, disk.number, disk.name + " (memory)", {}});
}

// The disk below the path, and one of memory; where one of them cannot be had the other serves.
std::string add_disks(Kernel& kernel, const std::filesystem::path& path, Guard& guard,
                      const std::atomic<bool>& stop, Kept& kept) {
  const Status below = add_disk_below(kernel, path, stop, kept);
  const Status memory = add_memory_disk(kernel, guard, stop, kept);
  if (below.ok() && memory.ok()) return {};
  if (memory.ok()) return below.error().message;
  return below.ok() ? memory.error().message
                    : below.error().message + "; " + memory.error().message;
}

void add_row(const VolumeClass& volume, bool has_credits, bool by_bytes,
             std::vector<CapRow>& rows) {
  const DeviceCaps caps = has_credits ? burst_caps(volume) : base_caps(volume);
  const DeviceCaps emulated = emulated_rates(volume, has_credits);
  CapRow row;
  row.volume = volume.name;
  row.what = std::string(by_bytes ? "MB/s" : "IOPS") + (has_credits ? "" : ", credits spent");
  row.published = by_bytes ? caps.bytes_per_s / 1e6 : caps.ios_per_s;
  row.emulated = by_bytes ? emulated.bytes_per_s / 1e6 : emulated.ios_per_s;
  rows.push_back(row);
}

std::string figure(const std::optional<double>& value, double published) {
  if (!value) return fmt::format("{:>10}{:>8}", "-", "");
  return fmt::format("{:>10.1f}{:>+7.1f}%", *value, 100 * (*value / published - 1));
}

}  // namespace

DeviceCaps emulated_rates(const VolumeClass& volume, bool has_credits) {
  DeviceCaps rates;
  const double skipped_s = has_credits ? 1 : seconds_to_spend(volume);
  const std::uint64_t page = volume.profile.granularity_bytes;
  for (const AccessPattern pattern : {AccessPattern::kSequential, AccessPattern::kRandom}) {
    DeviceAccount account(volume.profile, {});
    account.begin({8, 0, 0, false});
    const bool sequential = pattern == AccessPattern::kSequential;
    const std::uint64_t transactions = sequential ? (std::uint64_t{64} << 20) / page : 64;
    const double rate = closed_loop(account, pattern, transactions, skipped_s);
    if (sequential) {
      rates.bytes_per_s = rate * static_cast<double>(page);
    } else {
      rates.ios_per_s = rate;
    }
  }
  return rates;
}

Result<std::vector<CapRow>> volume_caps(const std::filesystem::path& path, double seconds,
                                        Guard& guard, const std::atomic<bool>& stop,
                                        const std::function<void(std::string_view)>& on_step) {
  on_step("the disks as they are");
  Kernel kernel(seconds, guard, stop);
  Kept kept;
  const std::string absent = add_disks(kernel, path, guard, stop, kept);
  if (stop.load()) return usage_error("interrupted");
  std::vector<CapRow> rows;
  for (const std::string& name : volume_class_names()) {
    HDB_ASSIGN(const VolumeClass volume, volume_class(name));
    for (const bool has_credits : {true, false}) {
      const DeviceCaps caps = has_credits ? burst_caps(volume) : base_caps(volume);
      for (const bool by_bytes : {true, false}) {
        if (!by_bytes && caps.ios_per_s == 0) continue;
        const DeviceCaps burst = burst_caps(volume);
        const bool same =
            by_bytes ? caps.bytes_per_s == burst.bytes_per_s : caps.ios_per_s == burst.ios_per_s;
        if (!has_credits && same) continue;
        add_row(volume, has_credits, by_bytes, rows);
        on_step(fmt::format("{}, {}", rows.back().volume, rows.back().what));
        const Status measured = kernel.measure(volume, has_credits, by_bytes, rows.back());
        if (stop.load()) return usage_error("interrupted");
        if (!measured.ok()) rows.back().note = measured.error().message;
      }
    }
  }
  if (!absent.empty() && !rows.empty()) rows.front().note += " (" + absent + ")";
  return rows;
}

std::string caps_text(const std::vector<CapRow>& rows) {
  std::string text = fmt::format("{:<12}{:<24}{:>10}{:>18}{:>18}  {}\n", "class", "cap",
                                 "published", "kernel's throttle", "emulator", "throttled disk");
  std::size_t shown = 0;
  std::size_t wrong = 0;
  const auto count = [&](const std::optional<double>& value, double published) {
    if (!value) return;
    ++shown;
    if (std::abs(*value / published - 1) > kWithin) ++wrong;
  };
  for (const CapRow& row : rows) {
    text += fmt::format("{:<12}{:<24}{:>10.1f}{}{}  {}{}\n", row.volume, row.what, row.published,
                        figure(row.kernel, row.published), figure(row.emulated, row.published),
                        row.disk, row.note);
    count(row.kernel, row.published);
    count(row.emulated, row.published);
  }
  return text + fmt::format("{} of {} figures are within {:.0f} % of the published cap\n",
                            shown - wrong, shown, 100 * kWithin);
}

}  // namespace hdbench
