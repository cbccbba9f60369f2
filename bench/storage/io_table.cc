#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "bench/base/lines.h"
#include "bench/base/statistics.h"
#include "bench/model/time_budget.h"
#include "bench/storage/io_results.h"
#include "bench/storage/io_tests.h"

namespace hdbench::bench {
namespace {

// Without "io/" and the process count, which stand elsewhere.
std::string short_name(const IoResult& result) {
  const std::string name = result.name.substr(3);
  return name.substr(0, name.rfind("/processes:"));
}

std::string figure(double value) {
  if (value >= 1000) return fmt::format("{:.0f}", value);
  if (value >= 0.1) return fmt::format("{:.3g}", value);
  return fmt::format("{:.2g}", value);
}

constexpr std::size_t kPublishedWidth = 70;
constexpr std::array kNames{
    "test", "median", "",       "±%",       "processes ±%",       "% of ceiling",
    "IOPS", "p50 us", "p99 us", "p99.9 us", "published elsewhere"};

// With those of several ranks behind the processes'.
constexpr std::ptrdiff_t kBehindProcesses = 5;

std::vector<std::string> with_ranks(const IoRun& run, std::vector<std::string> row,
                                    std::initializer_list<std::string> of_ranks) {
  if (!run.ranks.empty() && row.size() > 1) row.insert(row.begin() + kBehindProcesses, of_ranks);
  return row;
}

std::string processes_of_ranks(const IoRun& run, std::size_t processes) {
  const std::string text = processes_text(processes);
  return run.ranks.empty() ? text : fmt::format("{} on each of {} ranks", text, run.ranks.size());
}

// A result's line of the table: a field for each name.
std::vector<std::string> fields_without_ranks(const IoResult& result) {
  std::vector<std::string> fields(kNames.size());
  fields[0] = short_name(result);
  fields[1] = result.is_result() ? figure(result.median) : "0N";
  fields[2] = result.unit;
  fields[10] = result.published;
  if (!result.is_result()) return fields;
  if (result.interval && result.median > 0) {
    const double half = (result.interval->high - result.interval->low) / (2 * result.median);
    fields[3] = fmt::format("{:.0f}", half * 100);
  }
  if (result.processes > 1) fields[4] = fmt::format("{:.0f}", result.process_spread * 50);
  if (result.ceiling_mb_s > 0) {
    fields[5] = fmt::format("{:.0f}", result.median / result.ceiling_mb_s * 100);
  }
  if (result.operations >= 10 * result.samples.size()) {
    fields[6] = fmt::format("{:.0f}", result.iops);
  }
  const IoLatency& ns = result.latency;
  std::size_t at = 7;
  for (const auto& one : {ns.p50, ns.p99, ns.p99_9}) fields[at++] = one ? figure(*one / 1e3) : "";
  return fields;
}

std::vector<std::string> table_fields_of(const IoRun& run, const IoResult& result) {
  const auto ranks = rank_spread_of(result);
  return with_ranks(
      run, fields_without_ranks(result),
      {ranks ? fmt::format("{} (rank {})", figure(ranks->median), ranks->slowest) : "",
       ranks ? fmt::format("{:.0f}", ranks->spread * 50) : ""});
}

std::string markdown_row(const auto& fields) {
  return fmt::format("| {} |\n", fmt::join(fields, " | "));
}

std::string target_text(const IoTarget& target) {
  std::string text = fmt::format("{}: {}", target.path.string(), target.place);
  if (target.readahead_bytes) {
    text += fmt::format(", readahead {}", bytes_word(*target.readahead_bytes));
  }
  if (target.dax) text += ", DAX (MAP_SYNC)";
  if (target.memory) text += ", memory: never cold";
  return text;
}

// Of each rank, by its name, where there are several.
std::vector<std::string> target_lines(const IoRun& run) {
  std::vector<std::string> lines;
  const auto add = [&](const std::string& whose, const std::vector<IoTarget>& targets) {
    for (const IoTarget& target : targets) lines.push_back(whose + target_text(target) + "\n");
  };
  for (const IoRank& rank : run.ranks) add(rank.name + ": ", rank.targets);
  if (run.ranks.empty()) add("", run.targets);
  return lines;
}

std::string vectors_text(const IoRun& run) {
  const IoVectors& all = run.vectors;
  return fmt::format(
      "vectors, in elements: tiny {}, small {}, medium {}, large {} and huge {} of {} processes "
      "together\n(huge is {:.3g} of nano's 2^30); MB is 10^6 bytes; {} repetitions, {}\n"
      "latencies: of pread and direct the read alone, of a mapping with the sum of its bytes\n",
      all.tiny, all.small, all.medium, all.large, all.huge, run.ranks.empty() ? "all" : "a rank's",
      all.scale, run.options.reps, duration_text(run.elapsed_s));
}

std::string notes(const IoRun& run) {
  std::string text;
  for (const IoResult& result : run.results) {
    if (result.error) text += fmt::format("0N {}: {}\n", result.name, *result.error);
    if (!result.error && result.above_ceiling) {
      text += fmt::format("0N {}: {} {} is above the {}'s {} MB/s: no result\n", result.name,
                          figure(result.median), result.unit, result.ceiling,
                          figure(result.ceiling_mb_s));
    }
  }
  for (const std::string& line : run.left_out) text += "left out: " + line + "\n";
  for (const std::string& line : run.preflight) text += line + "\n";
  if (!run.complete) text += "the budget left out repetitions\n";
  return text;
}

}  // namespace

std::optional<IoRankSpread> rank_spread_of(const IoResult& result) {
  const std::vector<double>& medians = result.rank_medians;
  if (medians.size() < 2 || !result.is_result()) return std::nullopt;
  const auto slowest =
      result.unit == "ms" ? std::ranges::max_element(medians) : std::ranges::min_element(medians);
  return IoRankSpread{static_cast<std::size_t>(slowest - medians.begin()), *slowest,
                      summarise(medians).relative_spread};
}

std::string io_table(const IoRun& run) {
  std::string text;
  for (const std::string& line : target_lines(run)) text += line;
  text += vectors_text(run);
  for (std::size_t at = 0; at < run.results.size();) {
    const std::size_t processes = run.results[at].processes;
    TextRows rows{
        with_ranks(
            run,
            {"", "median", "", "+-%", "procs", "% of", "IOPS", "p50", "p99", "p99.9", "published"},
            {"slowest", "ranks"}),
        with_ranks(run, {"", "", "", "", "+-%", "ceil.", "", "us", "us", "us", "elsewhere"},
                   {"rank", "+-%"})};
    for (std::string group; at < run.results.size() && run.results[at].processes == processes;
         ++at) {
      if (run.results[at].group != group) rows.push_back({group = run.results[at].group});
      rows.push_back(table_fields_of(run, run.results[at]));
    }
    for (auto& row : rows) {
      if (row.size() > 1) row.back().resize(kPublishedWidth, ' ');  // flush left
    }
    text += "\n" + processes_of_ranks(run, processes) + "\n" + aligned(rows, 1);
  }
  const std::string below = notes(run);
  return below.empty() ? text : text + "\n" + below;
}

std::string io_markdown(const IoRun& run) {
  std::string text = "## Storage primitives\n\n";
  for (const std::string& line : target_lines(run)) text += "- " + line;
  text += "\n" + vectors_text(run);
  std::size_t processes = 0;
  for (const IoResult& result : run.results) {
    if (result.processes != processes) {
      processes = result.processes;
      const std::vector<std::string> names(kNames.begin(), kNames.end());
      text += "\n### " + processes_of_ranks(run, processes) + "\n\n" +
              markdown_row(with_ranks(run, names, {"slowest rank", "ranks ±%"})) + "|:--|--:|:--|" +
              (run.ranks.empty() ? "" : "--:|--:|") + "--:|--:|--:|--:|--:|--:|--:|:--|\n";
    }
    text += markdown_row(table_fields_of(run, result));
  }
  const std::string below = notes(run);
  return below.empty() ? text : text + "\n```\n" + below + "```\n";
}

std::string io_csv(const IoRun& run) {
  std::string text =
      "name,processes,unit,median,low,high,process_spread,bytes,operations,iops,p50_ns,p90_ns,"
      "p99_ns,p99_9_ns,device_bytes,major_faults,ceiling_mb_per_s,above_ceiling,error";
  text += run.ranks.empty() ? "\n" : ",slowest_rank,slowest_rank_median,rank_spread\n";
  const auto number = [](const auto& value) {
    return value ? fmt::format("{}", *value) : std::string();
  };
  for (const IoResult& result : run.results) {
    const bool shown = result.is_result();
    const Interval* const interval = shown && result.interval ? &*result.interval : nullptr;
    const IoLatency& ns = result.latency;
    std::string error = result.error.value_or("");
    std::replace(error.begin(), error.end(), ',', ';');
    text +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", result.name,
                    result.processes, result.unit, shown ? fmt::format("{}", result.median) : "",
                    interval ? fmt::format("{}", interval->low) : "",
                    interval ? fmt::format("{}", interval->high) : "", result.process_spread,
                    result.bytes, result.operations, result.iops, number(ns.p50), number(ns.p90),
                    number(ns.p99), number(ns.p99_9), number(result.device_bytes_read),
                    result.major_faults, result.ceiling_mb_s, result.above_ceiling ? 1 : 0, error);
    const auto ranks = rank_spread_of(result);
    if (ranks) text += fmt::format(",{},{},{}", ranks->slowest, ranks->median, ranks->spread);
    if (!ranks && !run.ranks.empty()) text += ",,,";
    text += "\n";
  }
  return text;
}

}  // namespace hdbench::bench
