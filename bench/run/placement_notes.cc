#include "bench/run/placement_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "bench/base/number_text.h"
#include "bench/machine/setting_notes.h"
#include "engine/column/format_value.h"
#include "engine/exec/query_input.h"
#include "engine/shaping/result_schema.h"
#include "pmem/media/emulated_medium.h"

namespace hdbench::bench {
namespace {

bool reads_compressed(const BoundQuery& query, const Ranks* ranks) {
  for (const PlanLeaf& leaf : leaves_of(*query.table, *query.plan)) {
    NeededColumns needed(leaf.table, ranks);
    needed.add(*query.table, *query.plan);
    for (const NeededColumns::Place& place : needed.places()) {
      const auto column = leaf.table.column(place.part, place.field);
      if (column.ok() && !(*column)->mapped) return true;
    }
  }
  return false;
}

constexpr std::uint64_t kMegabyte = 1'000'000;

std::string size_text(std::uint64_t bytes) {
  if (bytes < kMegabyte) return with_commas(bytes) + " bytes";
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / kMegabyte);
}

// What a narrowed column's elements represent.
std::string meaning_of(const Column& column) {
  if (column.domain == nullptr) {
    return fmt::format("from {} on", partition_name(column.type, column.base));
  }
  const std::size_t symbols = column.domain->stored_size();
  return fmt::format("domain {}, {} symbol{}", column.domain->name(), with_commas(symbols),
                     symbols == 1 ? "" : "s");
}

void add_column(CodesSaving& saving, const std::string& name, const Column& column) {
  const std::string meaning = meaning_of(column);
  const auto is_alike = [&](const CodesSaving::Group& group) {
    return group.width == column.width && group.meaning == meaning;
  };
  auto group = std::find_if(saving.groups.begin(), saving.groups.end(), is_alike);
  if (group == saving.groups.end()) {
    saving.groups.push_back({{}, column.width, meaning});
    group = saving.groups.end() - 1;
  }
  std::vector<std::string>& columns = group->columns;
  if (std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(name);
}

// A flat table holds all of its columns, whatever the queries need.
std::vector<NeededColumns::Place> loaded_places(const BoundQueries& bound, const std::string& name,
                                                const TablePlacement& placement) {
  const Table& table = placement.table(name);
  std::vector<NeededColumns::Place> places;
  if (placement.layout() == Layout::kFlat) {
    for (std::size_t field = 0; field < table.schema().fields.size(); ++field) {
      places.push_back({0, field});
    }
    return places;
  }
  NeededColumns needed(table, placement.ranks());
  for (const auto& [id, query] : bound) needed.add(*query.table, *query.plan);
  return needed.places();
}

}  // namespace

std::vector<std::string> compressed_lines(const std::vector<ListedQuery>& queries,
                                          const BoundQueries& bound,
                                          const TablePlacement& placement) {
  std::vector<std::string> lines;
  if (placement.layout() != Layout::kPartitioned) return lines;
  for (const ListedQuery& listed : queries) {
    const BoundQuery& query = bound.at(listed.id);
    if (!reads_compressed(query, placement.ranks())) continue;
    lines.push_back(
        fmt::format("decompression of {}: its compressed columns are unpacked before the clock "
                    "starts (--compressed asis: in a query's time)",
                    query.table->name()));
  }
  return lines;
}

std::optional<PreflightNote> read_ahead_note(const std::vector<CellResult>& cells,
                                             const std::optional<BlockDevice>& disk) {
  const CellResult* worst = nullptr;
  double most = 0;
  std::size_t far = 0;
  std::size_t known = 0;
  for (const CellResult& cell : cells) {
    const bool is_read = !cell.emulated && cell.setting.medium == "nvme" &&
                         cell.setting.cache == Cache::kCold && cell.rows_out;
    if (!is_read || !cell.device_bytes || cell.bytes_read == 0) continue;
    ++known;
    const double times =
        static_cast<double>(*cell.device_bytes) / static_cast<double>(cell.bytes_read);
    far += times >= kReadaheadTold ? 1 : 0;
    if (times <= most) continue;
    most = times;
    worst = &cell;
  }
  if (far == 0) return std::nullopt;
  std::string text = fmt::format(
      "the device gave 3 times what the query read, or more, in {} of {} cold cells (most in {}: "
      "{:.0f} times, {:.3g} MB for {:.3g} MB), as the kernel reads around each page that is "
      "touched",
      far, known, worst->name(), most, static_cast<double>(*worst->device_bytes) / 1e6,
      static_cast<double>(worst->bytes_read) / 1e6);
  if (disk && disk->readahead_bytes) {
    constexpr std::uint64_t kUsualKib = 128;  // Linux's own
    constexpr std::uint64_t kLittleKib = 16;
    const std::uint64_t kib = *disk->readahead_bytes >> 10;
    const std::uint64_t less = kib > kUsualKib ? kUsualKib : kLittleKib;
    text += fmt::format("; the readahead of /dev/{} is {} KiB: as root: {}", disk->disk, kib,
                        readahead_command(disk->disk, less));
  }
  return PreflightNote{"read-around", text, {}};
}

std::vector<std::string> near_cache_lines(Medium& medium) {
  constexpr double kMib = 1 << 20;
  std::vector<std::string> lines;
  for (Medium* const part : medium.parts()) {
    const EmulatedMedium* const emulated = as_emulated(*part);
    if (emulated == nullptr || emulated->near_cache_bytes() < emulated->column_bytes()) continue;
    if (emulated->near_cache_bytes() == 0) continue;
    lines.push_back(fmt::format(
        "{}: all columns of the queries ({:.1f} MiB) fit into the near cache ({:.1f} MiB): its "
        "figures are those of near memory; near=25% takes a share of the data",
        emulated->name(), static_cast<double>(emulated->column_bytes()) / kMib,
        static_cast<double>(emulated->near_cache_bytes()) / kMib));
  }
  return lines;
}

std::uint64_t rows_of(const Table& table) {
  std::uint64_t rows = 0;
  for (std::size_t part = 0; part < table.part_count(); ++part) {
    const auto part_rows = table.rows(part);
    if (part_rows.ok()) rows += *part_rows;
  }
  return rows;
}

std::vector<std::pair<std::string, std::uint64_t>> rows_of_tables(
    const std::vector<ListedQuery>& queries, const TablePlacement& placement) {
  std::vector<std::pair<std::string, std::uint64_t>> tables;
  for (const std::string& name : tables_of(queries)) {
    tables.emplace_back(name, rows_of(placement.table(name)));
  }
  return tables;
}

CodesSaving codes_saving(const Table& table, const std::vector<NeededColumns::Place>& loaded) {
  CodesSaving saving;
  for (const NeededColumns::Place place : loaded) {
    const auto column = table.column(place.part, place.field);
    if (!column.ok()) continue;
    const std::uint64_t narrowed_from = (*column)->narrowed_from;
    saving.stored_bytes += narrowed_from != 0 ? narrowed_from : (*column)->bytes();
    if (narrowed_from == 0) continue;
    saving.codes_stored_bytes += narrowed_from;
    saving.codes_narrow_bytes += (*column)->bytes();
    add_column(saving, table.schema().fields[place.field].name, **column);
  }
  return saving;
}

std::string to_text(const CodesSaving& saving) {
  if (saving.groups.empty()) return "none of the columns loaded has codes that could be narrower";
  std::string text;
  for (const CodesSaving::Group& group : saving.groups) {
    text += fmt::format("{}{} at {} byte{} ({})", text.empty() ? "" : ", ",
                        fmt::join(group.columns, " "), group.width, group.width == 1 ? "" : "s",
                        group.meaning);
  }
  const std::uint64_t saved = saving.codes_stored_bytes - saving.codes_narrow_bytes;
  const double percent =
      100 * static_cast<double>(saved) / static_cast<double>(saving.stored_bytes);
  return fmt::format("{}: {} -> {}, {} saved ({:.1f} % of the columns loaded)", text,
                     size_text(saving.codes_stored_bytes), size_text(saving.codes_narrow_bytes),
                     size_text(saved), percent);
}

std::vector<std::string> saving_lines(const std::vector<ListedQuery>& queries,
                                      const BoundQueries& bound, const TablePlacement& placement) {
  std::vector<std::string> lines;
  if (placement.codes() == Codes::kStored) return lines;
  bool any_narrower = false;
  for (const std::string& name : tables_of(queries)) {
    const CodesSaving saving =
        codes_saving(placement.table(name), loaded_places(bound, name, placement));
    any_narrower |= !saving.groups.empty();
    lines.push_back(
        fmt::format("codes narrow, {}, {}: {}", word(placement.layout()), name, to_text(saving)));
  }
  // A flat table on nvme is a scratch file in any case.
  if (any_narrower && placement.medium_name() == "nvme" &&
      placement.layout() == Layout::kPartitioned) {
    lines.push_back(
        "codes narrow, nvme: narrowed columns are scratch files (as a flat table is), not the "
        "database's own");
  }
  return lines;
}

}  // namespace hdbench::bench
