#include "bench/run/codes_saving.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/base/number_text.h"
#include "engine/column/format_value.h"

namespace hdbench::bench {
namespace {

constexpr std::uint64_t kMegabyte = 1'000'000;

std::string size_text(std::uint64_t bytes) {
  if (bytes < kMegabyte) return with_commas(bytes) + " bytes";
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / kMegabyte);
}

// What a narrowed column's elements stand for.
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
  NeededColumns needed(table);
  for (const auto& [id, query] : bound) needed.add(*query.table, *query.plan);
  return needed.places();
}

}  // namespace

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
