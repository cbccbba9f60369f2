#include "bench/storage/filesystems/filesystem_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "bench/base/number_text.h"
#include "bench/base/statistics.h"

namespace hdbench {
namespace {

using Figure = std::optional<double>;

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

const IoResult* find(const FilesystemFigures& figures, const std::string& name) {
  const auto found = std::find_if(figures.results.begin(), figures.results.end(),
                                  [&](const IoResult& result) { return result.name == name; });
  return found == figures.results.end() ? nullptr : &*found;
}

// Of speeds: milliseconds are turned over.
std::optional<Ratio> speed_ratio(const IoResult* first, const IoResult* other) {
  if (first == nullptr || other == nullptr || !first->is_result() || !other->is_result()) {
    return std::nullopt;
  }
  return first->unit == "ms" ? median_ratio({other->samples}, {first->samples})
                             : median_ratio({first->samples}, {other->samples});
}

std::string why_none(const std::string& filesystem, const IoResult* result) {
  if (result == nullptr) return filesystem + ": not run";
  if (result->error) return filesystem + ": " + *result->error;
  return filesystem + (result->above_ceiling ? ": above the " + result->ceiling + " ceiling"
                                             : ": no repetition");
}

FilesystemRow row_of(const IoResult& like, std::span<const FilesystemFigures> figures) {
  FilesystemRow row{test_of(like), group_of(like), like.processes, like.unit, {}, {}, {}};
  const IoResult* first = find(figures.front(), like.name);
  for (const FilesystemFigures& each : figures) {
    const IoResult* result = find(each, like.name);
    const bool has_figure = result != nullptr && result->is_result();
    row.medians.push_back(has_figure ? Figure(median(result->samples)) : std::nullopt);
    if (!has_figure) row.notes.push_back(why_none(each.filesystem, result));
    if (&each != &figures.front()) row.ratios.push_back(speed_ratio(first, result));
  }
  return row;
}

// Of the rows whose ratios are all there.
FilesystemMean mean_of(std::span<const FilesystemRow> rows) {
  FilesystemMean mean{rows.front().group, rows.front().processes, 0, {}, {}, {}};
  for (std::size_t k = 0; k < rows.front().ratios.size(); ++k) {
    std::vector<double> ratios;
    Figure largest;
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
    mean.geometric_means.push_back(ratios.empty() ? std::nullopt : Figure(geometric_mean(ratios)));
    mean.maxima.push_back(largest);
    mean.maximum_tests.push_back(largest_test);
  }
  return mean;
}

bool same_group(const FilesystemRow& a, const FilesystemRow& b) {
  return a.group == b.group && a.processes == b.processes;
}

std::string figure_text(const Figure& figure, const std::string& unit) {
  if (!figure) return "-";
  if (unit != "ms") return fmt::format("{:.1f}", *figure);
  return *figure < 0.1 ? fmt::format("{:.4f}", *figure) : format_ms(*figure);
}

std::string ratio_text(const std::optional<double>& ratio) {
  return ratio ? fmt::format("{:.2f}", *ratio) : "-";
}

std::string count_text(std::size_t processes) {
  return fmt::format("{} process{}", processes, processes == 1 ? "" : "es");
}

constexpr int kTestWidth = 58;
constexpr int kColumnWidth = 12;

std::string head_of(const FilesystemTable& table, const std::string& title) {
  std::string line = fmt::format("{:<{}} {:>5}", title, kTestWidth, "unit");
  for (const std::string& name : table.filesystems)
    line += fmt::format("{:>{}}", name, kColumnWidth);
  for (std::size_t k = 1; k < table.filesystems.size(); ++k) {
    line += fmt::format("{:>{}}", table.filesystems.front() + "/" + table.filesystems[k],
                        kColumnWidth + 1);
  }
  return line + "\n";
}

std::string line_of(const FilesystemRow& row) {
  std::string line = fmt::format("{:<{}} {:>5}", row.test, kTestWidth, row.unit);
  for (const Figure& figure : row.medians) {
    line += fmt::format("{:>{}}", figure_text(figure, row.unit), kColumnWidth);
  }
  for (const auto& ratio : row.ratios) {
    // Two that the interval does not tell apart are marked.
    const bool same = ratio && ratio->interval && !ratio->is_different();
    line += fmt::format("{:>{}}",
                        (same ? "~" : "") + ratio_text(ratio ? Figure(ratio->value) : std::nullopt),
                        kColumnWidth + 1);
  }
  line += "\n";
  for (const std::string& note : row.notes) line += "  " + note + "\n";
  return line;
}

std::string means_text(const FilesystemTable& table) {
  const std::string& first = table.filesystems.front();
  std::string text = fmt::format("{:<32}{:>6}", "how many times as fast " + first + " is", "tests");
  for (std::size_t k = 1; k < table.filesystems.size(); ++k) {
    text += fmt::format("{:>18}{:>9}", "geo. mean " + table.filesystems[k], "largest");
  }
  text += "\n";
  for (const FilesystemMean& mean : table.means) {
    text += fmt::format("{:<32}{:>6}", mean.group + ", " + count_text(mean.processes), mean.tests);
    for (std::size_t k = 0; k < mean.geometric_means.size(); ++k) {
      text += fmt::format("{:>18}{:>9}", ratio_text(mean.geometric_means[k]),
                          ratio_text(mean.maxima[k]));
    }
    text += "\n";
  }
  return text;
}

}  // namespace

void add_round(FilesystemFigures& figures, std::vector<IoResult> results) {
  for (IoResult& result : results) {
    const auto known = std::find_if(figures.results.begin(), figures.results.end(),
                                    [&](const IoResult& each) { return each.name == result.name; });
    if (known == figures.results.end()) {
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
  for (auto begin = table.rows.begin(); begin != table.rows.end();) {
    const auto end = std::find_if(begin, table.rows.end(), [&](const FilesystemRow& row) {
      return !same_group(row, *begin);
    });
    table.means.push_back(mean_of({begin, end}));
    begin = end;
  }
  return table;
}

std::string filesystem_text(const FilesystemTable& table) {
  if (table.rows.empty()) return "no test was run\n";
  std::string text;
  const FilesystemRow* last = nullptr;
  bool unsure = false;
  for (const FilesystemRow& row : table.rows) {
    if (last == nullptr || !same_group(*last, row)) {
      if (last != nullptr) text += "\n";
      text += head_of(table, row.group + ", " + count_text(row.processes));
    }
    text += line_of(row);
    last = &row;
    for (const auto& ratio : row.ratios) {
      unsure = unsure || (ratio && ratio->interval && !ratio->is_different());
    }
  }
  text += "\n" + means_text(table);
  if (unsure) text += "~: the 95 % interval of the ratio holds 1: not told apart\n";
  return text;
}

}  // namespace hdbench
