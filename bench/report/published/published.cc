#include "bench/report/published/published.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "bench/base/number_text.h"
#include "bench/report/views/figure_text.h"
#include "queries/query_file.h"

namespace hdbench::bench {
namespace {

constexpr std::size_t kPublishedPartitions = 62;

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

std::vector<QueryEntry> own_queries(const char* name) {
  const auto path = find_query_file(name);
  if (!path.ok()) return {};
  auto queries = read_query_file(*path);
  return queries.ok() ? *std::move(queries) : std::vector<QueryEntry>{};
}

// One of the eleven; its texts and counts are those of paper.q and paper-counted.q.
struct PublishedCount {
  int query = 0;
  std::uint64_t rows = 0;                   // of the 191,113,021
  std::optional<std::uint64_t> large_rows;  // of the 2,163,100,445; nothing: 0N, -w 5.5 TB
  std::uint64_t as_printed = 0;             // what the printed text returns
  std::string printed_text;
  std::string counted_text;
};

// By number. Empty where the query files are missing.
const std::vector<PublishedCount>& published_counts() {
  static const std::vector<PublishedCount> counts = [] {
    std::vector<PublishedCount> all;
    const std::vector<QueryEntry> counted = own_queries("paper-counted.q");
    for (const QueryEntry& printed : own_queries("paper.q")) {
      for (const QueryEntry& other : counted) {
        if (other.id != printed.id) continue;
        const std::uint64_t rows = other.expected_rows_scale1.value_or(0);
        const bool is_stopped = other.id == 8 || other.id == 11;  // over the larger database
        all.push_back({other.id, rows, is_stopped ? std::nullopt : std::optional(rows),
                       printed.expected_rows_scale1.value_or(0), printed.text, other.text});
      }
    }
    return all;
  }();
  return counts;
}

// Null: none of the eleven.
const PublishedCount* published_of(int query) {
  for (const PublishedCount& one : published_counts()) {
    if (one.query == query) return &one;
  }
  return nullptr;
}

// The rows of the first cell that has any.
std::optional<std::uint64_t> rows_of(const ReportPivot& pivot, std::size_t dataset,
                                     std::size_t query) {
  for (const ReportCell& cell : pivot.input().cells) {
    if (cell.dataset == dataset && cell.query == query && cell.result.rows_out)
      return cell.result.rows_out;
  }
  return std::nullopt;
}

// What this reading's text returns over the study's rows; nothing: not known.
std::optional<std::uint64_t> known_rows(const PublishedCount& count, Reading reading,
                                        bool is_large) {
  if (is_large) return reading == Reading::kPrinted ? std::nullopt : count.large_rows;
  return reading == Reading::kPrinted ? count.as_printed : count.rows;
}

// Empty where none of the study's queries was run over a database of its shape.
std::string counts_sentence(const ReportPivot& pivot, std::size_t dataset) {
  const ReportDataset& set = pivot.input().datasets[dataset];
  const bool is_large = set.partitions == kLargePartitions;
  if (!is_large && set.partitions != kPublishedPartitions) return {};
  const std::uint64_t whole = is_large ? kPublishedLargeRows : kPublishedRows;
  std::size_t found = 0;
  std::size_t known = 0;
  std::vector<std::string> others;
  for (const std::size_t query : pivot.queries()) {
    const auto reading = reading_of(pivot.input().queries[query]);
    const auto rows = rows_of(pivot, dataset, query);
    if (!reading || !rows) continue;
    ++found;
    const auto expected =
        set.rows() == whole
            ? known_rows(*published_of(pivot.input().queries[query].id), *reading, is_large)
            : std::nullopt;
    known += expected ? 1 : 0;
    if (expected && *rows != *expected) {
      others.push_back(fmt::format("; {} returns {}, expected {}", pivot.label(query),
                                   with_commas(*rows), with_commas(*expected)));
    }
  }
  if (found == 0) return {};
  if (known == 0) {
    return fmt::format(
        "{} has {:.4g} times the study's rows, so queries 4, 10 and 11 return proportionally other "
        "counts: nothing is said of them.",
        set.name, static_cast<double>(set.rows()) / static_cast<double>(whole));
  }
  return fmt::format(
      "{} has the study's rows: {} of {} counts are what the text that was run must return{}.",
      set.name, known - others.size(), known, fmt::join(others, ""));
}

// Query 10's time on the most threads with p in this mode, over the larger database where there is
// one.
std::string time_here(const ReportPivot& pivot, Mode mode, bool on_disk) {
  const auto dataset = pivot.large_dataset() ? pivot.large_dataset() : pivot.main_dataset();
  for (const std::size_t query : pivot.queries()) {
    if (pivot.input().queries[query].id != 10 || !reading_of(pivot.input().queries[query]))
      continue;
    const ReportBlock block{*dataset, AttrUse::kParted, mode, pivot.threads(*dataset).back(), 0};
    for (std::size_t column = 0; column < pivot.columns().size(); ++column) {
      const ReportColumn& where = pivot.column(column);
      const bool fits =
          on_disk ? where.reference == column && where.is_disk()
                  : where.setting.medium == "dram" && where.setting.layout == Layout::kFlat;
      const auto ms = fits ? pivot.ms(block, column, query) : std::nullopt;
      if (!ms) continue;
      return fmt::format("{}: {}, over {} rows", time_text(*ms), where.label,
                         with_commas(pivot.input().datasets[*dataset].rows()));
    }
  }
  return "not run";
}

}  // namespace

std::optional<Reading> reading_of(const ReportQuery& query) {
  const PublishedCount* const known = published_of(query.id);
  if (known == nullptr) return std::nullopt;
  const std::string text = plain(query.text);
  const bool is_printed = text == plain(known->printed_text);
  const bool is_counted = text == plain(known->counted_text);
  if (is_printed && is_counted) return Reading::kBoth;
  if (is_printed) return Reading::kPrinted;
  return is_counted ? std::optional(Reading::kCounted) : std::nullopt;
}

bool has_study_queries(const ReportPivot& pivot) {
  const auto& queries = pivot.input().queries;
  return std::any_of(queries.begin(), queries.end(),
                     [](const ReportQuery& query) { return reading_of(query).has_value(); });
}

std::vector<std::string> count_sentences(const ReportPivot& pivot) {
  std::vector<std::string> sentences;
  for (std::size_t dataset = 0; dataset < pivot.input().datasets.size(); ++dataset) {
    std::string sentence = counts_sentence(pivot, dataset);
    if (!sentence.empty()) sentences.push_back(std::move(sentence));
  }
  return sentences;
}

std::vector<std::array<std::string, 3>> compare_times(const ReportPivot& pivot) {
  return {
      {"Query 10, mode 4.0, on NVMe", "just over 50 s (784 partitions)",
       time_here(pivot, Mode::k40, true)},
      {"Query 10, mode 4.0, in memory, flat", "just over 7 s (784 partitions)",
       time_here(pivot, Mode::k40, false)},
      {"Query 10, mode 3.6, in memory, flat", "over 14 s (on much less data)",
       time_here(pivot, Mode::k36, false)},
  };
}

}  // namespace hdbench::bench
