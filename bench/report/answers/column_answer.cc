// Which columns the queries read, how much memory those take, and on which tier they lie.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "bench/base/number_text.h"
#include "bench/model/column_places.h"
#include "bench/report/answers/answers.h"
#include "bench/report/views/figure_text.h"

namespace hdbench::bench {
namespace {

std::uint64_t needed_of(const std::vector<ColumnNeed>& columns) {
  std::uint64_t bytes = 0;
  for (const ColumnNeed& one : columns) bytes += one.needed_bytes;
  return bytes;
}

// The bytes of a place; `all` is what no other place names.
std::uint64_t needed_by(const std::vector<ColumnNeed>& columns,
                        const std::vector<ColumnPlace>& places, const ColumnPlace& place) {
  const auto names = [](const ColumnPlace& one, const std::string& column) {
    return std::find(one.columns.begin(), one.columns.end(), column) != one.columns.end();
  };
  std::uint64_t bytes = 0;
  for (const ColumnNeed& need : columns) {
    const bool is_named = std::any_of(places.begin(), places.end(), [&](const ColumnPlace& one) {
      return names(one, need.column);
    });
    const bool is_here = is_named ? names(place, need.column) : names(place, kAllColumns);
    bytes += is_here ? need.needed_bytes : 0;
  }
  return bytes;
}

// The queries that read each column, of all cells over the dataset.
std::map<std::string, std::set<std::size_t>> readers_of(const ReportPivot& pivot,
                                                        std::size_t dataset) {
  std::map<std::string, std::set<std::size_t>> readers;
  for (const ReportCell& cell : pivot.input().cells) {
    if (cell.dataset != dataset) continue;
    for (const auto& [column, bytes] : cell.result.bytes_read_by_column) {
      if (bytes > 0) readers[column].insert(cell.query);
    }
  }
  return readers;
}

std::string column_sentence(const ColumnNeed& need, std::size_t readers, std::size_t queries,
                            std::uint64_t all) {
  std::string text = fmt::format(
      "{}: {}, {:.0f} % of what is needed", need.column, bytes_text(need.needed_bytes),
      all == 0 ? 0 : 100 * static_cast<double>(need.needed_bytes) / static_cast<double>(all));
  if (need.needed_bytes < need.bytes)
    text += fmt::format(" (of {} in all partitions)", bytes_text(need.bytes));
  return text + fmt::format("; {} of {} read it.", readers, queries_text(queries));
}

}  // namespace

std::string holdings_text(const ReportPivot& pivot, std::size_t column) {
  const Setting& setting = pivot.column(column).setting;
  const auto& columns = pivot.input().datasets[pivot.primary().dataset].columns;
  std::uint64_t rest = needed_of(columns);
  if (rest == 0) return {};
  std::vector<std::string> parts;
  const std::vector<ColumnPlace> places = places_of_text(setting.place);
  for (const ColumnPlace& place : places) {
    const std::uint64_t bytes = needed_by(columns, places, place);
    rest -= bytes;
    parts.push_back(fmt::format("{} in {} ({})", bytes_text(bytes), medium_title(place.medium),
                                fmt::join(place.columns, ", ")));
  }
  if (rest > 0)
    parts.insert(parts.begin(),
                 fmt::format("{} in {}", bytes_text(rest), medium_title(setting.medium)));
  return listed(parts);
}

Answer column_answer(const ReportPivot& pivot) {
  Answer answer{"Which columns do the queries read, and how much memory do they take?", {}, {}};
  const std::size_t at = pivot.primary().dataset;
  std::vector<ColumnNeed> columns = pivot.input().datasets[at].columns;
  const std::uint64_t needed = needed_of(columns);
  if (needed == 0)
    return answer.with("Cannot be said: these results do not have the columns' sizes.");
  std::stable_sort(columns.begin(), columns.end(), [](const ColumnNeed& a, const ColumnNeed& b) {
    return a.needed_bytes > b.needed_bytes;
  });
  const auto readers = readers_of(pivot, at);
  std::uint64_t all = 0;
  std::uint64_t unread = 0;
  std::size_t read = 0;
  std::vector<std::string> unread_names;
  for (const ColumnNeed& one : columns) {
    all += one.bytes;
    if (one.needed_bytes == 0) {
      unread += one.bytes;
      unread_names.push_back(one.column);
      continue;
    }
    ++read;
    const auto found = readers.find(one.column);
    answer.sentences.push_back(column_sentence(
        one, found == readers.end() ? 0 : found->second.size(), pivot.queries().size(), needed));
  }
  if (!unread_names.empty()) {
    answer.sentences.push_back(fmt::format("Read by none, {}: {}. They may stay on the disk.",
                                           bytes_text(unread), fmt::join(unread_names, ", ")));
  }
  return answer.with(fmt::format(
      "{} of {} columns, {} of {}: so much memory holds all that these queries read. Results take "
      "workspace on top.",
      read, columns.size(), bytes_text(needed), bytes_text(all)));
}

}  // namespace hdbench::bench
