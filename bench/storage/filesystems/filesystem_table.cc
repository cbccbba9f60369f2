#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "bench/base/lines.h"
#include "bench/base/number_text.h"
#include "bench/base/statistics.h"
#include "bench/storage/filesystems/filesystem_comparison.h"
#include "bench/storage/io_tests.h"

namespace hdbench::bench {
namespace {

using MaybeFigure = std::optional<double>;

std::string test_of(const IoResult& result) {
  std::string name = result.name;
  if (name.starts_with("io/")) name.erase(0, 3);
  const std::size_t processes = name.rfind("/processes:");
  return processes == std::string::npos ? name : name.substr(0, processes);
}

std::string group_of(const IoResult& result) {
  if (result.group != "read") return result.group;
  return result.group + (result.cache == "warm" ? " warm" : " cold");
}

// Null where there is none of this name.
template <typename Results>
auto* find(Results& results, const std::string& name) {
  const auto found = std::find_if(results.begin(), results.end(),
                                  [&](const IoResult& result) { return result.name == name; });
  return found == results.end() ? nullptr : &*found;
}

// Of speeds: milliseconds are turned over.
std::optional<Ratio> speed_ratio(const IoResult* first, const IoResult* other) {
  if (first == nullptr || other == nullptr || !first->is_result() || !other->is_result()) {
    return std::nullopt;
  }
  return first->unit == "ms" ? median_ratio({other->samples}, {first->samples})
                             : median_ratio({first->samples}, {other->samples});
}

std::string why_no_figure(const std::string& filesystem, const IoResult* result) {
  if (result == nullptr) return filesystem + ": not run";
  if (result->error) return filesystem + ": " + *result->error;
  return filesystem + (result->above_ceiling ? ": above the " + result->ceiling + " ceiling"
                                             : ": no repetition");
}

FilesystemRow row_of(const IoResult& like, std::span<const FilesystemFigures> figures) {
  FilesystemRow row{test_of(like), group_of(like), like.processes, like.unit, {}, {}, {}};
  const IoResult* first = find(figures.front().results, like.name);
  for (const FilesystemFigures& each : figures) {
    const IoResult* result = find(each.results, like.name);
    const bool has_figure = result != nullptr && result->is_result();
    row.medians.push_back(has_figure ? MaybeFigure(median(result->samples)) : std::nullopt);
    if (!has_figure) row.notes.push_back(why_no_figure(each.filesystem, result));
    if (&each != &figures.front()) row.ratios.push_back(speed_ratio(first, result));
  }
  return row;
}

// Of the rows whose ratios are all there.
FilesystemMean mean_of(std::span<const FilesystemRow> rows) {
  FilesystemMean mean{rows.front().group, rows.front().processes, 0, {}, {}, {}};
  for (std::size_t k = 0; k < rows.front().ratios.size(); ++k) {
    std::vector<double> ratios;
    MaybeFigure largest;
    std::string largest_test;
    for (const FilesystemRow& row : rows) {
      const bool whole = std::all_of(row.ratios.begin(), row.ratios.end(),
                                     [](const auto& ratio) { return ratio.has_value(); });
      if (!whole) continue;
      ratios.push_back(row.ratios[k]->value);
      if (!largest || ratios.back() > *largest) {
        largest = ratios.back();
        largest_test = row.test;
      }
    }
    mean.tests = ratios.size();
    mean.geometric_means.push_back(ratios.empty() ? std::nullopt
                                                  : MaybeFigure(geometric_mean(ratios)));
    mean.maxima.push_back(largest);
    mean.maximum_tests.push_back(largest_test);
  }
  return mean;
}

bool same_group(const FilesystemRow& a, const FilesystemRow& b) {
  return a.group == b.group && a.processes == b.processes;
}

std::vector<std::span<const FilesystemRow>> groups_of(std::span<const FilesystemRow> rows) {
  std::vector<std::span<const FilesystemRow>> groups;
  for (std::size_t begin = 0, k = 1; k <= rows.size(); ++k) {
    if (k < rows.size() && same_group(rows[begin], rows[k])) continue;
    groups.push_back(rows.subspan(begin, k - begin));
    begin = k;
  }
  return groups;
}

std::string filesystem_figure(const MaybeFigure& figure, const std::string& unit) {
  if (!figure) return "-";
  if (unit != "ms") return fmt::format("{:.1f}", *figure);
  return *figure < 0.1 ? fmt::format("{:.4f}", *figure) : format_ms(*figure);
}

std::string ratio_text(const std::optional<double>& ratio) {
  return ratio ? fmt::format("{:.2f}", *ratio) : "-";
}

// Two that the interval does not tell apart.
bool is_unsure(const std::optional<Ratio>& ratio) {
  return ratio && ratio->interval && !ratio->is_different();
}

// A group's table and, below it, why figures are missing.
std::string group_text(const FilesystemTable& table, std::span<const FilesystemRow> rows) {
  const std::string title = rows.front().group + ", " + processes_text(rows.front().processes);
  TextRows text{{title, "unit"}};
  for (const std::string& name : table.filesystems) text[0].push_back(name);
  for (std::size_t k = 1; k < table.filesystems.size(); ++k)
    text[0].push_back(table.filesystems.front() + "/" + table.filesystems[k]);
  std::string notes;
  for (const FilesystemRow& row : rows) {
    auto& cells = text.emplace_back(std::vector{row.test, row.unit});
    for (const MaybeFigure& figure : row.medians)
      cells.push_back(filesystem_figure(figure, row.unit));
    for (const auto& ratio : row.ratios) {
      cells.push_back((is_unsure(ratio) ? "~" : "") +
                      ratio_text(ratio ? MaybeFigure(ratio->value) : std::nullopt));
    }
    for (const std::string& note : row.notes) notes += fmt::format("  {}: {}\n", row.test, note);
  }
  return aligned(text, 1) + notes + "\n";
}

std::string filesystem_means_text(const FilesystemTable& table) {
  TextRows text{{"how many times as fast " + table.filesystems.front() + " is", "tests"}};
  for (std::size_t k = 1; k < table.filesystems.size(); ++k) {
    text[0].push_back("geo. mean " + table.filesystems[k]);
    text[0].push_back("largest");
  }
  for (const FilesystemMean& mean : table.means) {
    auto& cells = text.emplace_back(std::vector{mean.group + ", " + processes_text(mean.processes),
                                                fmt::format("{}", mean.tests)});
    for (std::size_t k = 0; k < mean.geometric_means.size(); ++k) {
      cells.push_back(ratio_text(mean.geometric_means[k]));
      cells.push_back(ratio_text(mean.maxima[k]));
    }
  }
  return aligned(text, 1);
}

}  // namespace

void add_round(FilesystemFigures& figures, std::vector<IoResult> results) {
  for (IoResult& result : results) {
    IoResult* const known = find(figures.results, result.name);
    if (known == nullptr) {
      figures.results.push_back(std::move(result));
      continue;
    }
    known->samples.insert(known->samples.end(), result.samples.begin(), result.samples.end());
    known->above_ceiling = known->above_ceiling || result.above_ceiling;
    known->bytes += result.bytes;
    known->operations += result.operations;
    known->seconds += result.seconds;
    if (known->seconds > 0) known->iops = static_cast<double>(known->operations) / known->seconds;
    if (!known->error) known->error = result.error;
    if (known->samples.empty()) continue;
    known->median = median(known->samples);
    known->interval = median_interval({known->samples});
  }
}

FilesystemTable filesystem_table(std::span<const FilesystemFigures> figures) {
  FilesystemTable table;
  std::vector<std::string> done;
  for (const FilesystemFigures& each : figures) table.filesystems.push_back(each.filesystem);
  for (const FilesystemFigures& each : figures) {
    for (const IoResult& result : each.results) {
      if (std::find(done.begin(), done.end(), result.name) != done.end()) continue;
      done.push_back(result.name);
      // Behind the last row of its group, so that a group stays together.
      FilesystemRow row = row_of(result, figures);
      auto place = std::find_if(table.rows.rbegin(), table.rows.rend(),
                                [&](const FilesystemRow& other) { return same_group(other, row); });
      table.rows.insert(place == table.rows.rend() ? table.rows.end() : place.base(),
                        std::move(row));
    }
  }
  for (const std::span<const FilesystemRow> group : groups_of(table.rows))
    table.means.push_back(mean_of(group));
  return table;
}

std::string filesystem_text(const FilesystemTable& table) {
  if (table.rows.empty()) return "no test was run\n";
  std::string text;
  for (const auto group : groups_of(table.rows)) text += group_text(table, group);
  const bool unsure = std::any_of(table.rows.begin(), table.rows.end(), [](const auto& row) {
    return std::any_of(row.ratios.begin(), row.ratios.end(), is_unsure);
  });
  return text + filesystem_means_text(table) +
         (unsure ? "~: the 95 % interval of the ratio holds 1: not distinguished\n" : "");
}

}  // namespace hdbench::bench
