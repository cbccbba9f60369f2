#include "bench/report/published/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>

#include "bench/base/number_text.h"
#include "bench/report/views/figure_text.h"

namespace hdbench {
namespace {

constexpr std::size_t kEleven = 11;
constexpr std::size_t kPublishedPartitions = 62;
constexpr std::size_t kPublishedLargePartitions = 784;

struct Texts {
  std::string_view before;  // the dates
  std::string_view printed;
  std::string_view counted;
  std::string_view after;
};

// Of each query; blanks do not count.
constexpr std::array<Texts, kEleven> kTexts{{
    {"select*bydate,col1", "date=2020.01.07,", "", "col3in`val1"},
    {"select*bydate,col1", "datewithin(2020.01.03;2020.01.31),", "datein(2020.01.03;2020.01.31),",
     "col3in`val1"},
    {"select*bydate,col1", "datewithin(2019.11.01;2020.01.31),", "datein(2019.11.01;2020.01.31),",
     "col3in`val1"},
    {"select*", "date=2020.01.07,", "", "col3in`val2`val1`val3"},
    {"select*bydate,col1,col2", "date=2020.01.07,", "", "col3in`val2`val1`val3"},
    {"select*bydate,col1,col2", "datewithin(2020.01.03;2020.01.31),",
     "datein(2020.01.03;2020.01.31),", "col3in`val2`val1`val3"},
    {"select*bydate,col1,col2", "datewithin(2019.11.01;2020.01.31),",
     "datein(2019.11.01;2020.01.31),", "col3in`val2`val1`val3"},
    {"select*bycol1", "", "", "col3in`val2`val1"},
    {"select*bydate,col1", "datewithin(2019.11.01;2020.01.31),", "datein(2019.11.01;2020.01.31),",
     "col3in`val2`val1"},
    {"select*", "datewithin(2020.01.03;2020.01.31),", "", "col3in`val2`val1`val3"},
    {"select*", "datewithin(2019.11.01;2020.01.31),", "", "col3in`val2`val1`val3"},
}};

// Without blanks, but for one between two figures, which is q's other way to write a list.
std::string plain(std::string_view text) {
  std::string out;
  bool blank = false;
  for (const char c : text) {
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      blank = true;
      continue;
    }
    const auto is_figure = [](char one) { return one >= '0' && one <= '9'; };
    if (blank && is_figure(c) && !out.empty() && is_figure(out.back())) out += ';';
    blank = false;
    out += c;
  }
  return out;
}

std::string query_of(const Texts& texts, std::string_view dates) {
  return fmt::format("{}fromquotewhere{}{}", texts.before, dates, texts.after);
}

// The rows of the first cell that has any.
std::optional<std::uint64_t> rows_of(const ReportPivot& pivot, std::size_t dataset,
                                     std::size_t query) {
  for (const ReportCell& cell : pivot.input().cells) {
    if (cell.dataset == dataset && cell.query == query && cell.result.rows_out) {
      return cell.result.rows_out;
    }
  }
  return std::nullopt;
}

CountComparison compare_dataset(const ReportPivot& pivot, std::size_t dataset) {
  const ReportDataset& set = pivot.input().datasets[dataset];
  CountComparison comparison;
  comparison.dataset = dataset;
  comparison.is_large = set.partitions == kPublishedLargePartitions;
  const std::uint64_t whole = comparison.is_large ? kPublishedLargeRows : kPublishedRows;
  comparison.scale = static_cast<double>(set.rows()) / static_cast<double>(whole);
  if (!comparison.is_large && set.partitions != kPublishedPartitions) return comparison;
  const bool is_whole = set.rows() == whole;
  for (const std::size_t query : pivot.queries()) {
    const auto reading = reading_of(pivot.input().queries[query]);
    const auto rows = rows_of(pivot, dataset, query);
    if (!reading || !rows) continue;
    const auto id = static_cast<std::size_t>(pivot.input().queries[query].id);
    CountRow row{published_counts()[id - 1], *reading, *rows, {}};
    if (is_whole && !comparison.is_large) {
      row.is_as_known =
          *rows == (*reading == Reading::kPrinted ? row.published.as_printed : row.published.rows);
    } else if (is_whole && *reading != Reading::kPrinted && row.published.large_rows) {
      row.is_as_known = *rows == *row.published.large_rows;
    }
    comparison.rows.push_back(row);
  }
  return comparison;
}

// Query 10's time on the most threads with p in this mode, over the larger database where there is
// one.
std::string time_here(const ReportPivot& pivot, Mode mode, bool on_disk) {
  const auto dataset = pivot.large_dataset() ? pivot.large_dataset() : pivot.main_dataset();
  for (const std::size_t query : pivot.queries()) {
    if (pivot.input().queries[query].id != 10 || !reading_of(pivot.input().queries[query])) {
      continue;
    }
    const ReportBlock block{*dataset, AttrUse::kParted, mode, pivot.threads(*dataset).back(), 0};
    for (std::size_t column = 0; column < pivot.columns().size(); ++column) {
      const ReportColumn& where = pivot.columns()[column];
      const bool fits = on_disk ? where.reference == column && where.is_disk()
                                : where.medium == "dram" && where.layout == Layout::kFlat;
      const ReportCell* cell = fits ? pivot.cell(block, column, query) : nullptr;
      const auto ms = cell == nullptr ? std::nullopt : median_ms(cell->result);
      if (!ms) continue;
      return fmt::format("{}: {}, over {} rows", time_text(*ms), where.label,
                         with_commas(pivot.input().datasets[*dataset].rows()));
    }
  }
  return "not run";
}

}  // namespace

const std::array<PublishedCount, kEleven>& published_counts() {
  static constexpr std::uint64_t kDay = 3'064'072;
  static constexpr std::uint64_t kMonth = 71'643'220;
  static constexpr std::uint64_t kQuarter = 189'941'620;
  static const char* const day = "= 2020.01.07";
  static const char* const month = "within 2020.01.03 2020.01.31 (20 trading days)";
  static const char* const quarter = "within 2019.11.01 2020.01.31 (62 trading days)";
  static const char* const month_ends = "in 2020.01.03 2020.01.31 (2 days)";
  static const char* const quarter_ends = "in 2019.11.01 2020.01.31 (2 days)";
  static const std::array<PublishedCount, kEleven> counts{{
      {1, 2, 2, 2, day, day},
      {2, 4, 4, 40, month, month_ends},
      {3, 4, 4, 124, quarter, quarter_ends},
      {4, kDay, kDay, kDay, day, day},
      {5, 4, 4, 4, day, day},
      {6, 8, 8, 80, month, month_ends},
      {7, 8, 8, 248, quarter, quarter_ends},
      {8, 3, std::nullopt, 3, "all", "all"},
      {9, 6, 6, 186, quarter, quarter_ends},
      {10, kMonth, kMonth, kMonth, month, month},
      {11, kQuarter, std::nullopt, kQuarter, quarter, quarter},
  }};
  return counts;
}

std::optional<Reading> reading_of(const ReportQuery& query) {
  if (query.id < 1 || query.id > static_cast<int>(kEleven)) return std::nullopt;
  const Texts& texts = kTexts[static_cast<std::size_t>(query.id) - 1];
  const std::string text = plain(query.text);
  if (text == query_of(texts, texts.printed)) {
    return texts.counted.empty() ? Reading::kBoth : Reading::kPrinted;
  }
  if (!texts.counted.empty() && text == query_of(texts, texts.counted)) return Reading::kCounted;
  return std::nullopt;
}

std::vector<CountComparison> compare_counts(const ReportPivot& pivot) {
  std::vector<CountComparison> comparisons;
  for (std::size_t dataset = 0; dataset < pivot.input().datasets.size(); ++dataset) {
    CountComparison comparison = compare_dataset(pivot, dataset);
    if (!comparison.rows.empty()) comparisons.push_back(std::move(comparison));
  }
  return comparisons;
}

std::string counts_sentence(const CountComparison& comparison) {
  std::size_t known = 0;
  std::size_t same = 0;
  for (const CountRow& row : comparison.rows) {
    if (!row.is_as_known) continue;
    ++known;
    same += *row.is_as_known ? 1 : 0;
  }
  if (known == 0) {
    return fmt::format(
        "This database has {:.4g} times the study's rows, so queries 4, 10 and 11 return "
        "proportionally other counts: both are shown, and nothing is said of them.",
        comparison.scale);
  }
  return fmt::format(
      "This database has the study's rows: {} of {} counts are what the text that "
      "was run must return.",
      same, known);
}

std::vector<std::string> finding_on_counts() {
  return {
      "The study's row counts do not follow from its queries as printed: a query by date over a "
      "range returns its groups once a date, so queries 2, 3, 6, 7 and 9 would return 40, 124, 80, "
      "248 and 186 rows, where it gives 4, 4, 8, 8 and 6.",
      "Each of these is exactly twice the count of one date, which is what the range gives when it "
      "is read as its two end dates (date in instead of date within). With that one reading all "
      "eleven published counts agree with one table of 62 trading days.",
      "hdbench carries both: paper.q, the text as printed, and paper-counted.q, the reading that "
      "gives the published counts."};
}

std::vector<PublishedTime> compare_times(const ReportPivot& pivot) {
  return {
      {"Query 10, mode 4.0, on NVMe", "just over 50 s (784 partitions)",
       time_here(pivot, Mode::k40, true)},
      {"Query 10, mode 4.0, in memory, flat", "just over 7 s (784 partitions)",
       time_here(pivot, Mode::k40, false)},
      {"Query 10, mode 3.6, in memory, flat", "over 14 s (on much less data)",
       time_here(pivot, Mode::k36, false)},
  };
}

}  // namespace hdbench
