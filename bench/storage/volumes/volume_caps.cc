#include "bench/storage/volumes/volume_caps.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <random>

#include "bench/base/lines.h"
#include "bench/machine/device_ceilings.h"
#include "bench/machine/filled_file.h"
#include "bench/storage/volumes/temporary_disk.h"
#include "bench/storage/volumes/throttled_volume.h"
#include "engine/base/units.h"
#include "pmem/emulator/device_account.h"

namespace hdbench::bench {
namespace {

// A disk shows a cap only where it is clearly faster than the cap itself.
constexpr double kFasterThanCap = 1.2;
constexpr std::uint64_t kDiskBytes = std::uint64_t{256} << 20;
constexpr std::size_t kPageBytes = 4096;
constexpr double kWarmSeconds = 0.5;
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

struct MeasuredDisk {
  TemporaryDisk disk;
  std::string name;
  DeviceCaps free;  // unthrottled: bandwidth of 1 MiB, I/Os of 4 KiB
};

double figure_of(const DeviceCaps& caps, bool by_bytes) {
  return by_bytes ? caps.bytes_per_s / 1e6 : caps.ios_per_s;
}

// Eight threads read the first kDiskBytes again and again: blocks of 1 MiB in order, or pages.
Result<double> load_figure(const std::string& path, bool by_bytes, double seconds,
                           const std::atomic<bool>& stop) {
  const FileHandle device(open(path.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC));
  if (!device.is_open()) return file_error(path, "cannot be opened", errno);
  DeviceRead read{by_bytes ? kMiB : kPageBytes, 8, 0, {}};
  std::vector<DeviceBlock> blocks;
  for (std::uint64_t offset = 0; offset < kDiskBytes; offset += read.block_bytes)
    blocks.push_back({device.descriptor(), offset});
  if (!by_bytes) std::shuffle(blocks.begin(), blocks.end(), std::mt19937_64(1));
  // What the first gives does not count: a throttle's first slice is free.
  for (const double time : {kWarmSeconds, seconds}) {
    const auto nanoseconds = std::chrono::nanoseconds(std::llround(time * 1e9));
    HDB_TRY(read_blocks(blocks, {nanoseconds, false, true, &stop}, read));
  }
  const double bytes_per_s = read.gb_s.back() * 1e9;
  return by_bytes ? bytes_per_s : bytes_per_s / kPageBytes;
}

// The disk below the path, by a file on it: the device itself may not be this process's to read.
Result<MeasuredDisk> disk_below(const std::filesystem::path& path, const std::atomic<bool>& stop) {
  HDB_ASSIGN(const WholeDisk whole, whole_disk(path));
  HDB_ASSIGN(FileHandle file, filled_file(path, kDiskBytes, stop));
  MeasuredDisk found{
      {fmt::format("/proc/self/fd/{}", file.descriptor()), whole.number, {}}, whole.name, {}};
  found.disk.held = std::move(file);
  return found;
}

Result<MeasuredDisk> disk_in_memory(Guard& guard, const std::atomic<bool>& stop) {
  HDB_ASSIGN(TemporaryDisk disk, make_memory_disk(kDiskBytes, guard, stop));
  std::string name = disk.path.substr(5) + " (memory)";
  return MeasuredDisk{std::move(disk), std::move(name), {}};
}

// Both; where one of them cannot be had the other serves, and `absent` says why.
std::vector<MeasuredDisk> measured_disks(const std::filesystem::path& path, double seconds,
                                         Guard& guard, const std::atomic<bool>& stop,
                                         std::string& absent) {
  std::vector<MeasuredDisk> disks;
  const auto add = [&](Result<MeasuredDisk> disk) -> Status {
    if (!disk.ok()) return disk.error();
    const std::string& place = disk->disk.path;
    HDB_ASSIGN(disk->free.bytes_per_s, load_figure(place, true, seconds, stop));
    HDB_ASSIGN(disk->free.ios_per_s, load_figure(place, false, seconds, stop));
    disks.push_back(std::move(*disk));
    return ok_status();
  };
  for (const Status& added : {add(disk_below(path, stop)), add(disk_in_memory(guard, stop))}) {
    if (!added.ok()) absent += (absent.empty() ? "" : "; ") + added.error().message;
  }
  return disks;
}

// One cap, of a class with or without credits.
struct Cap {
  const VolumeClass& volume;
  bool has_credits;
  bool by_bytes;
};

// On the first disk that is fast enough.
Status measure(const Cap& cap, const std::vector<MeasuredDisk>& disks, double seconds, Guard& guard,
               const std::atomic<bool>& stop, CapRow& row) {
  const auto disk = std::find_if(disks.begin(), disks.end(), [&](const MeasuredDisk& each) {
    return figure_of(each.free, cap.by_bytes) >= kFasterThanCap * row.published;
  });
  if (disk == disks.end()) {
    row.note = "not shown: ";
    for (const MeasuredDisk& each : disks) {
      row.note += fmt::format("{}{} itself gives {:.0f}", &each == &disks.front() ? "" : ", ",
                              each.name, figure_of(each.free, cap.by_bytes));
    }
    return ok_status();
  }
  ThrottledVolume::Options options{disk->disk.number, {}};
  if (!cap.has_credits) options.credits = 0;
  HDB_ASSIGN(const auto held, ThrottledVolume::enter(cap.volume, options, guard));
  HDB_ASSIGN(const double figure, load_figure(disk->disk.path, cap.by_bytes, seconds, stop));
  row.kernel = cap.by_bytes ? figure / 1e6 : figure;
  row.disk = disk->name;
  return ok_status();
}

// The value and how far it is from the published one, in two columns.
void add_figure(const std::optional<double>& value, double published,
                std::vector<std::string>& row) {
  row.push_back(value ? fmt::format("{:.1f}", *value) : "-");
  row.push_back(value ? fmt::format("{:+.1f}%", 100 * (*value / published - 1)) : "");
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
    (sequential ? rates.bytes_per_s : rates.ios_per_s) =
        sequential ? rate * static_cast<double>(page) : rate;
  }
  return rates;
}

Result<std::vector<CapRow>> volume_caps(const std::filesystem::path& path, double seconds,
                                        Guard& guard, const std::atomic<bool>& stop,
                                        const std::function<void(std::string_view)>& on_step) {
  on_step("the disks as they are");
  std::string absent;
  const std::vector<MeasuredDisk> disks = measured_disks(path, seconds, guard, stop, absent);
  if (stop.load()) return usage_error("interrupted");
  std::vector<CapRow> rows;
  for (const std::string& name : volume_class_names()) {
    HDB_ASSIGN(const VolumeClass volume, volume_class(name));
    for (const bool has_credits : {true, false}) {
      const DeviceCaps caps = has_credits ? burst_caps(volume) : base_caps(volume);
      for (const bool by_bytes : {true, false}) {
        const double published = figure_of(caps, by_bytes);
        if (!by_bytes && published == 0) continue;
        if (!has_credits && published == figure_of(burst_caps(volume), by_bytes)) continue;
        CapRow& row = rows.emplace_back();
        row.volume = volume.name;
        row.what =
            fmt::format("{}{}", by_bytes ? "MB/s" : "IOPS", has_credits ? "" : ", credits spent");
        row.published = published;
        row.emulated = figure_of(emulated_rates(volume, has_credits), by_bytes);
        on_step(fmt::format("{}, {}", row.volume, row.what));
        const Status measured =
            measure({volume, has_credits, by_bytes}, disks, seconds, guard, stop, row);
        if (stop.load()) return usage_error("interrupted");
        if (!measured.ok()) row.note = measured.error().message;
      }
    }
  }
  if (!absent.empty() && !rows.empty()) rows.front().note += " (" + absent + ")";
  return rows;
}

std::string caps_text(const std::vector<CapRow>& rows) {
  TextRows table{{"class", "cap", "throttled disk", "published", "throttle", "", "emulator", ""}};
  std::string notes;
  std::size_t shown = 0;
  std::size_t wrong = 0;
  for (const CapRow& row : rows) {
    auto& cells = table.emplace_back(
        std::vector{row.volume, row.what, row.disk, fmt::format("{:.1f}", row.published)});
    for (const auto& value : {row.kernel, row.emulated}) {
      add_figure(value, row.published, cells);
      if (value) ++shown;
      if (value && std::abs(*value / row.published - 1) > kWithin) ++wrong;
    }
    if (!row.note.empty()) notes += fmt::format("{} {}: {}\n", row.volume, row.what, row.note);
  }
  return aligned(table, 3) + notes +
         fmt::format("{} of {} figures are within {:.0f} % of the published cap\n", shown - wrong,
                     shown, 100 * kWithin);
}

}  // namespace hdbench::bench
