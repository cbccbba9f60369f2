#include "bench/report/views/report_pivot.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "bench/report/views/figure_text.h"
#include "engine/base/check.h"
#include "pmem/emulator/emulated_meter.h"

namespace hdbench::bench {
namespace {

std::string emulation_of(const CellResult& cell) {
  if (!cell.emulated) return {};
  const bool names_profile =
      cell.profile || !cell.place_profiles.empty() || cell.result_profile || cell.spill_profile;
  if (!names_profile && !cell.emulation_mode)
    return "emulated: no device profile (this host's own memory)";
  const std::string mode =
      cell.emulation_mode ? fmt::format(", {}", word(*cell.emulation_mode)) : "";
  std::vector<std::string> of;
  if (cell.profile) of.push_back(*cell.profile);
  for (const std::string& profile : cell.place_profiles) of.push_back("columns on " + profile);
  if (cell.result_profile) of.push_back("results on " + *cell.result_profile);
  if (cell.spill_profile) of.push_back("beyond -w on " + *cell.spill_profile);
  return fmt::format("emulated: {}{}", fmt::join(of, ", "), mode);
}

Setting column_setting(Setting setting) {
  const Setting usual;
  setting.attr = usual.attr;
  setting.mode = usual.mode;
  setting.threads = usual.threads;
  setting.limit_mib = usual.limit_mib;
  setting.dataset = usual.dataset;
  setting.emulation = usual.emulation;
  return setting;
}

// 0 is what the study compares with.
int reference_rank(const ReportColumn& column) {
  const Setting& at = column.setting;
  const bool is_plain = at.codes == Codes::kStored && at.prefetch == Prefetch::kOff &&
                        at.compressed == Compressed::kAsStored;
  if (!column.is_disk() || at.layout != Layout::kPartitioned) return 4;
  if (at.cache != Cache::kCold) return column.emulated || !is_plain ? 4 : 3;
  if (column.emulated) return 2;
  return is_plain ? 0 : 1;
}

std::string label_of(const ReportColumn& column, const std::vector<ReportColumn>& columns,
                     std::size_t machines) {
  const Setting& at = column.setting;
  std::string label = medium_title(at.medium) + ", " + std::string(word(at.layout));
  const bool shows_cache =
      column.is_disk() || std::any_of(columns.begin(), columns.end(), [&](const ReportColumn& one) {
        return one.setting.medium == at.medium && one.setting.cache == Cache::kCold;
      });
  if (shows_cache) label += fmt::format(", {}", word(at.cache));
  if (at.codes == Codes::kNarrow) label += ", narrow codes";
  if (at.compressed == Compressed::kUnpacked) label += ", unpacked before";
  if (at.prefetch == Prefetch::kOn) label += ", prefetch";
  if (!at.place.empty()) label += ", " + at.place;
  if (!at.results.empty()) label += ", results on " + at.results;
  if (!at.spill.empty()) label += ", beyond -w on " + at.spill;
  if (!at.volume.empty()) label += ", held to " + at.volume;
  if (!at.ranks.empty()) label += fmt::format(", {} ranks", at.ranks);
  // Of the modes of emulation, waiting is the one that is not said.
  if (column.emulation.ends_with(", model")) label += ", model";
  if (machines > 1) label += fmt::format(", machine {}", column.machine + 1);
  return label;
}

std::vector<ReportColumn> all_columns(const ReportInput& input) {
  std::vector<ReportColumn> columns;
  for (const ReportCell& cell : input.cells) {
    const auto holds = [&](const ReportColumn& column) { return column.holds(cell); };
    if (std::any_of(columns.begin(), columns.end(), holds)) continue;
    columns.push_back({cell.machine,
                       column_setting(cell.result.setting),
                       cell.result.emulated,
                       emulation_of(cell.result),
                       {},
                       0});
  }
  std::stable_sort(
      columns.begin(), columns.end(), [](const ReportColumn& a, const ReportColumn& b) {
        const auto rank = [](const ReportColumn& one) {
          const bool is_apart = !one.setting.place.empty() || !one.setting.results.empty() ||
                                !one.setting.spill.empty();
          return std::tuple(one.machine, is_apart, reference_rank(one));
        };
        return rank(a) < rank(b);
      });
  std::size_t reference = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].machine != columns[reference].machine) reference = i;
    columns[i].reference = reference;
    columns[i].label = label_of(columns[i], columns, input.machines.size());
  }
  return columns;
}

}  // namespace

bool ReportColumn::holds(const ReportCell& cell) const {
  return cell.machine == machine && column_setting(cell.result.setting) == setting &&
         emulation_of(cell.result) == emulation;
}

ReportBlock block_of(const ReportCell& cell) {
  const Setting& setting = cell.result.setting;
  return {cell.dataset, setting.attr, setting.mode, setting.threads, setting.limit_mib};
}

bool ReportColumn::is_disk() const {
  return setting.medium == "nvme" || setting.medium.starts_with("nvme:");
}

std::string medium_title(const std::string& medium) {
  const std::size_t colon = medium.find(':');
  const std::string kind = medium.substr(0, colon);
  const std::string argument = colon == std::string::npos ? "" : medium.substr(colon + 1);
  if (kind == "numa") return "NUMA node " + argument;
  std::string title = kind;
  if (kind == "nvme") title = "NVMe";
  if (kind == "dram") title = "DRAM";
  if (kind == "app-direct") title = "App Direct";
  if (kind == "memory-mode") title = "Memory Mode";
  if (kind == "cxl") title = "CXL";
  return argument.empty() ? title : fmt::format("{} ({})", title, argument);
}

ReportPivot::ReportPivot(const ReportInput& input) : input_(input), columns_(all_columns(input)) {
  for (const ReportCell& cell : input.cells) {
    const ReportBlock block = block_of(cell);
    if (std::find(blocks_.begin(), blocks_.end(), block) == blocks_.end()) blocks_.push_back(block);
  }
  for (std::size_t i = 0; i < input.queries.size(); ++i) queries_.push_back(i);
  std::stable_sort(queries_.begin(), queries_.end(), [&](std::size_t a, std::size_t b) {
    return input.queries[a].id < input.queries[b].id;
  });
  index_cells();
  find_datasets();
  order_blocks();
}

void ReportPivot::index_cells() {
  for (const ReportCell& cell : input_.cells) {
    const std::size_t column = column_of(cell);
    cells_.try_emplace({block_of(cell), column, cell.query}, &cell);
    if (cell.result.setting.attr == AttrUse::kParted) parted_.emplace(cell.dataset, column);
  }
}

std::size_t ReportPivot::column_of(const ReportCell& cell) const {
  const auto found = std::find_if(columns_.begin(), columns_.end(),
                                  [&](const ReportColumn& one) { return one.holds(cell); });
  HDB_CHECK(found != columns_.end(), "a cell that no column holds");
  return static_cast<std::size_t>(found - columns_.begin());
}

void ReportPivot::find_datasets() {
  std::set<std::size_t> run;
  for (const ReportBlock& block : blocks_) run.insert(block.dataset);
  std::vector<std::size_t> by_size(run.begin(), run.end());
  std::stable_sort(by_size.begin(), by_size.end(), [&](std::size_t a, std::size_t b) {
    const auto size = [&](std::size_t one) {
      return std::pair(input_.datasets[one].partitions, input_.datasets[one].rows());
    };
    return size(a) < size(b);
  });
  const ReportDataset& largest = input_.datasets[by_size.back()];
  if (by_size.size() == 1 && largest.partitions != kLargePartitions) {
    main_ = by_size.front();
    return;
  }
  large_ = by_size.back();
  if (by_size.size() > 1) main_ = by_size.front();
}

void ReportPivot::order_blocks() {
  std::stable_sort(blocks_.begin(), blocks_.end(), [&](const ReportBlock& a, const ReportBlock& b) {
    const auto rank = [&](const ReportBlock& one) {
      return std::tuple(one.dataset != main_.value_or(*(large_ ? large_ : main_)), one.dataset,
                        one.limit_mib != 0, one.mode != Mode::k40, one.attr != AttrUse::kParted,
                        -static_cast<std::int64_t>(one.threads), one.limit_mib);
    };
    return rank(a) < rank(b);
  });
}

const ReportCell* ReportPivot::find(const ReportBlock& block, std::size_t column,
                                    std::size_t query) const {
  const auto found = cells_.find({block, column, query});
  return found == cells_.end() ? nullptr : found->second;
}

const ReportCell* ReportPivot::cell(const ReportBlock& block, std::size_t column,
                                    std::size_t query) const {
  const ReportCell* found = find(block, column, query);
  if (found != nullptr || !stands_in(block, column)) return found;
  ReportBlock without = block;
  without.attr = AttrUse::kNone;
  return find(without, column, query);
}

bool ReportPivot::stands_in(const ReportBlock& block, std::size_t column) const {
  return block.attr == AttrUse::kParted && !parted_.contains({block.dataset, column});
}

bool ReportPivot::has(const ReportBlock& block, std::size_t column) const {
  return std::any_of(queries_.begin(), queries_.end(),
                     [&](std::size_t query) { return cell(block, column, query) != nullptr; });
}

std::vector<std::size_t> ReportPivot::columns_of(const ReportBlock& block) const {
  std::vector<std::size_t> columns;
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    if (has(block, column)) columns.push_back(column);
  }
  return columns;
}

std::optional<double> ReportPivot::ms(const ReportBlock& block, std::size_t column,
                                      std::size_t query) const {
  const ReportCell* const found = cell(block, column, query);
  return found == nullptr ? std::nullopt : median_ms(found->result);
}

std::optional<Ratio> ReportPivot::gain(const ReportBlock& block, std::size_t column,
                                       std::size_t query) const {
  const ReportCell* first = cell(block, columns_[column].reference, query);
  const ReportCell* other = cell(block, column, query);
  if (first == nullptr || other == nullptr) return std::nullopt;
  return ratio(*first, *other);
}

bool ReportPivot::lacks_latency(const ReportCell& cell) const {
  const auto& lacking = input_.runs[cell.run].context.media_without_latency;
  return cell.result.setting.cache == Cache::kCold &&
         std::ranges::find(lacking, cell.result.setting.medium) != lacking.end();
}

std::optional<Ratio> ReportPivot::ratio(const ReportCell& a, const ReportCell& b) const {
  if (!a.result.rows_out || !b.result.rows_out) return std::nullopt;
  if ((lacks_latency(a) && !b.result.emulated) || (lacks_latency(b) && !a.result.emulated))
    return std::nullopt;
  const auto [known, is_new] = ratios_.try_emplace({&a, &b});
  if (is_new) known->second = median_ratio(a.result.times(), b.result.times());
  return known->second;
}

std::optional<Interval> ReportPivot::interval(const ReportCell& cell) const {
  if (!cell.result.rows_out) return std::nullopt;
  const auto [known, is_new] = intervals_.try_emplace(&cell);
  if (is_new) known->second = median_interval(cell.result.times());
  return known->second;
}

std::optional<double> ReportPivot::half_width(const ReportCell& cell) const {
  const auto of = interval(cell);
  const double ms = median_ms(cell.result).value_or(0);
  return of && ms > 0 ? std::optional((of->high - of->low) / (2 * ms)) : std::nullopt;
}

std::vector<std::size_t> ReportPivot::threads(std::size_t dataset) const {
  std::set<std::size_t> counts;
  for (const ReportBlock& block : blocks_) {
    if (block.dataset == dataset) counts.insert(block.threads);
  }
  return {counts.begin(), counts.end()};
}

Result<CellCeiling> ReportPivot::ceiling(const ReportCell& cell) const {
  return cell_ceiling(cell.result, input_.runs[cell.run].context.ceilings);
}

bool ReportPivot::is_cached(const ReportCell& cell) const {
  return hdbench::bench::is_cached(cell.result, input_.runs[cell.run].context.ceilings);
}

bool ReportPivot::is_impossible(const ReportCell& cell) const {
  const auto of = ceiling(cell);
  return of.ok() && of->above();
}

std::string attr_text(AttrUse attr) { return attr == AttrUse::kParted ? "with p" : "without p"; }

std::string dataset_note(const ReportPivot& pivot, std::size_t dataset) {
  const auto& datasets = pivot.input().datasets;
  return datasets.size() < 2 ? "" : ", " + datasets[dataset].name;
}

std::size_t least_cpus(const ReportInput& input) {
  std::size_t least = 0;
  for (const SavedRun& run : input.runs) {
    const std::size_t cpus = run.context.host.cpus;
    if (cpus != 0) least = least == 0 ? cpus : std::min(least, cpus);
  }
  return least;
}

std::string axes_text(const ReportPivot& pivot, const ReportBlock& block) {
  return fmt::format("{}, mode {}{}", attr_text(block.attr), word(block.mode),
                     dataset_note(pivot, block.dataset));
}

std::string block_text(const ReportPivot& pivot, const ReportBlock& block) {
  return fmt::format("{}, mode {}, {}{}{}", attr_text(block.attr), word(block.mode),
                     threads_on_cpus(block.threads, least_cpus(pivot.input())),
                     block.limit_mib == 0 ? "" : fmt::format(", -w {} MiB", block.limit_mib),
                     dataset_note(pivot, block.dataset));
}

}  // namespace hdbench::bench
