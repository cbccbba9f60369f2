#include "bench/model/cell_ceiling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace hdbench::bench {
namespace {

double ms_for(double bytes, double gb_s) { return bytes == 0 ? 0 : bytes / (gb_s * 1e6); }

// Whether the medium's bytes are in the memory that was measured.
bool in_measured_memory(const CellResult& cell) {
  const std::string& medium = cell.setting.medium;
  return cell.emulated || medium == "nvme" || medium == "dram" || medium == "tmpfs" ||
         medium == "memory-mode";
}

// The device that a cold cell's bytes lie on: a flat table is a scratch file, and of narrow codes
// in partitions these columns are.
Result<const DeviceCeilings*> device_of(const CellResult& cell, const RunCeilings& ceilings) {
  const DeviceCeilings* device = &ceilings.device;
  if (ceilings.scratch_device && cell.setting.layout == Layout::kFlat) {
    device = &*ceilings.scratch_device;
  } else if (ceilings.scratch_device && cell.setting.codes == Codes::kNarrow) {
    return data_error("its bytes lie on two devices: narrow codes are scratch files on another");
  }
  if (device->known()) return device;
  return data_error("its device was not measured: " + device->reason);
}

struct LeastTimes {
  double copy_ms = 0;
  double read_ms = 0;
  double write_ms = 0;

  double ms() const { return copy_ms + read_ms + write_ms; }
};

LeastTimes least_times(const CellResult& cell, const MemoryRound& rates) {
  const auto read = static_cast<double>(cell.bytes_read);
  const auto written = static_cast<double>(cell.bytes_written);
  const double both = std::min(read, written);
  return {ms_for(2 * both, rates.copy_gb_s), ms_for(read - both, rates.read_gb_s),
          ms_for(written - both, std::max(rates.write_gb_s, rates.stream_gb_s))};
}

// One of the figures of all rounds.
MemoryRound rates_of(const ThreadCeilings& memory, double CeilingFigure::* figure) {
  MemoryRound rates;
  rates.read_gb_s = memory.read_gb_s.*figure;
  rates.write_gb_s = memory.write_gb_s.*figure;
  rates.stream_gb_s = memory.stream_gb_s.*figure;
  rates.copy_gb_s = memory.copy_gb_s.*figure;
  return rates;
}

// Of a cold cell. The kernel may read more than is wanted, and a query may want bytes twice.
double device_bytes_of(const CellResult& cell) {
  // None at all: not counted, as some filesystems do not.
  const std::uint64_t counted = cell.device_bytes.value_or(0);
  return static_cast<double>(std::min(cell.bytes_read, counted == 0 ? cell.bytes_read : counted));
}

// Why a cell is faster than the ceiling allows, by evidence of the run; empty where there is none.
// `least_ms`: what its bytes need by the ceiling; `least_of_best_ms`: by the ceiling's best round.
std::string above_reason(const CellResult& cell, const RunCeilings& ceilings, double least_ms,
                         double least_of_best_ms) {
  const double ms = *median_ms(cell);
  if (least_of_best_ms <= ms) {
    return fmt::format("the ceiling's rounds vary: the best was {:.0f} % above it",
                       100 * (least_ms / least_of_best_ms - 1));
  }
  const auto moved = static_cast<double>(cell.bytes_read + cell.bytes_written);
  const auto cache = static_cast<double>(ceilings.memory.cache_bytes);
  // What the caches hold from the repetition before need not come from memory.
  if (cell.setting.cache == Cache::kWarm && least_ms * (1 - cache / moved) <= ms) {
    return fmt::format("the last-level caches ({} MiB) can hold {:.0f} % of its bytes",
                       ceilings.memory.cache_bytes >> 20, 100 * cache / moved);
  }
  if (ceilings.quota_cpus && static_cast<double>(cell.setting.threads) > *ceilings.quota_cpus)
    return "the CPU quota stops what lasts longer than its period, such as the ceiling's rounds";
  return {};
}

}  // namespace

const PlacementCeilings* RunCeilings::of(const Setting& setting) const {
  for (const PlacementCeilings& one : placements) {
    if (one.medium == setting.medium && one.layout == setting.layout &&
        one.codes == setting.codes && one.compressed == setting.compressed &&
        one.dataset == setting.dataset)
      return &one;
  }
  return nullptr;
}

bool is_cached(const CellResult& cell, const RunCeilings& ceilings) {
  const std::uint64_t moved = cell.bytes_read + cell.bytes_written + cell.bytes_unpacked;
  return cell.setting.cache == Cache::kWarm && moved < kCachesOfData * ceilings.memory.cache_bytes;
}

std::string_view word(CeilingKind kind) {
  switch (kind) {
    case CeilingKind::kRead: return "read";
    case CeilingKind::kWrite: return "write";
    case CeilingKind::kCopy: return "copy";
    case CeilingKind::kDevice: return "device";
    case CeilingKind::kUnpack: return "unpack";
  }
  return "";
}

std::optional<double> unpack_ms(const CellResult& cell, const RunCeilings& ceilings) {
  const PlacementCeilings* const placement = ceilings.of(cell.setting);
  if (cell.bytes_unpacked == 0 || placement == nullptr) return std::nullopt;
  for (const UnpackRate& rate : placement->unpacking) {
    if (rate.threads == cell.setting.threads)
      return ms_for(static_cast<double>(cell.bytes_unpacked), rate.gb_s);
  }
  return std::nullopt;
}

Result<CellCeiling> cell_ceiling(const CellResult& cell, const RunCeilings& ceilings) {
  const std::optional<double> ms = median_ms(cell);
  if (!ms || *ms <= 0) return data_error("the cell has no time");
  if (!cell.setting.place.empty()) {
    return data_error("its columns were placed one by one (--place)");
  }
  if (cell.profile) {
    return data_error("an emulated device is held against its profile, not against this machine");
  }
  if (cell.result_profile) {
    return data_error("its results lie on an emulated device (--result-medium)");
  }
  if (cell.spill_profile && cell.spilled_bytes > 0) {
    return data_error("what went beyond -w lies on an emulated device (--on-limit spill)");
  }
  if (!in_measured_memory(cell)) {
    return data_error(fmt::format("what {} can do at best is not measured", cell.medium_label));
  }
  if (is_cached(cell, ceilings)) {
    return data_error(fmt::format("it moves less than {} times the last-level caches ({} MiB)",
                                  kCachesOfData, ceilings.memory.cache_bytes >> 20));
  }
  const ThreadCeilings* memory = ceilings.memory.of(cell.setting.threads);
  if (memory == nullptr) {
    const std::string& reason = ceilings.memory.reason;
    return data_error(reason.empty() ? "its thread count was not measured" : reason);
  }
  const LeastTimes least = least_times(cell, rates_of(*memory, &CeilingFigure::high));

  CellCeiling ceiling;
  ceiling.gb_s = static_cast<double>(cell.bytes_read + cell.bytes_written) / (*ms * 1e6);
  ceiling.best_possible_ms = least.ms();
  if (least.copy_ms > std::max(least.read_ms, least.write_ms)) {
    ceiling.kind = CeilingKind::kCopy;
  } else {
    ceiling.kind = least.write_ms > least.read_ms ? CeilingKind::kWrite : CeilingKind::kRead;
  }
  double least_of_best_ms = least_times(cell, rates_of(*memory, &CeilingFigure::best)).ms();
  if (cell.setting.cache == Cache::kCold) {
    HDB_ASSIGN(const DeviceCeilings* const device, device_of(cell, ceilings));
    const PlacementCeilings* const placement = ceilings.of(cell.setting);
    const bool in_rounds = placement != nullptr && !placement->device_sequential.gb_s.empty();
    const CeilingFigure rate =
        (in_rounds ? placement->device_sequential : device->sequential).figure();
    const double device_ms = ms_for(device_bytes_of(cell), rate.high);
    if (device_ms >= ceiling.best_possible_ms) ceiling.kind = CeilingKind::kDevice;
    ceiling.best_possible_ms = std::max(ceiling.best_possible_ms, device_ms);
    least_of_best_ms = std::max(least_of_best_ms, ms_for(device_bytes_of(cell), rate.best));
  }
  // Unpacking reads the compressed bytes and can go on while a device reads; results are written
  // behind it.
  if (const auto unpacking = unpack_ms(cell, ceilings)) {
    const double with_results = *unpacking + least.write_ms;
    if (with_results >= ceiling.best_possible_ms) ceiling.kind = CeilingKind::kUnpack;
    ceiling.best_possible_ms = std::max(ceiling.best_possible_ms, with_results);
    least_of_best_ms = std::max(least_of_best_ms, with_results);
  }
  ceiling.percent = 100 * ceiling.best_possible_ms / *ms;
  if (ceiling.percent <= 100) return ceiling;
  const std::optional<Interval> interval = median_interval(cell.times());
  ceiling.is_above = ceiling.best_possible_ms > (interval ? interval->high : *ms);
  if (ceiling.is_above)
    ceiling.reason = above_reason(cell, ceilings, ceiling.best_possible_ms, least_of_best_ms);
  return ceiling;
}

std::vector<double> best_possible_of_rounds(const CellResult& cell, const RunCeilings& ceilings) {
  if (cell.emulated ? !cell.setting.place.empty() : !cell_ceiling(cell, ceilings).ok()) return {};
  const PlacementCeilings* const placement = ceilings.of(cell.setting);
  if (placement == nullptr) return {};
  const ThreadCeilings* const memory = placement->memory.of(cell.setting.threads);
  if (memory == nullptr) return {};
  std::vector<MemoryRound> rounds = memory->each;
  if (rounds.empty()) rounds.push_back(rates_of(*memory, &CeilingFigure::median));
  const bool reads_device = cell.setting.cache == Cache::kCold && !cell.emulated;
  const std::vector<double>& device = placement->device_sequential.gb_s;
  if (reads_device) rounds.resize(std::min(rounds.size(), device.size()));
  std::vector<double> times;
  for (std::size_t at = 0; at < rounds.size(); ++at) {
    double ms = least_times(cell, rounds[at]).ms();
    if (reads_device) ms = std::max(ms, ms_for(device_bytes_of(cell), device[at]));
    if (std::isfinite(ms) && ms > 0) times.push_back(ms);
  }
  return times;
}

}  // namespace hdbench::bench
