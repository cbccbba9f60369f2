#include "bench/storage/io_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "bench/model/time_budget.h"
#include "bench/storage/io_test.h"

namespace hdbench {
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

std::string median_text(const IoResult& result) {
  return result.is_result() ? figure(result.median) : "0N";
}

std::string interval_text(const IoResult& result) {
  if (!result.is_result() || !result.interval || result.median <= 0) return "";
  const double half = (result.interval->high - result.interval->low) / (2 * result.median);
  return fmt::format("{:.0f}", half * 100);
}

std::string ns_text(const std::optional<double>& ns) {
  return ns ? figure(*ns / 1e3) : std::string();
}

std::string ceiling_text(const IoResult& result) {
  if (!result.is_result() || result.ceiling_mb_s <= 0) return "";
  return fmt::format("{:.0f}", result.median / result.ceiling_mb_s * 100);
}

std::string iops_text(const IoResult& result) {
  const bool many = result.operations >= 10 * result.samples.size();
  return result.is_result() && many ? fmt::format("{:.0f}", result.iops) : std::string();
}

constexpr const char* kRow = "{:<58} {:>9} {:<4} {:>4} {:>5} {:>5} {:>9} {:>8} {:>8} {:>8}  {}\n";

std::string head() {
  return fmt::format(kRow, "", "median", "", "+-%", "procs", "% of", "IOPS", "p50", "p99", "p99.9",
                     "published") +
         fmt::format(kRow, "", "", "", "", "+-%", "ceil.", "", "us", "us", "us", "elsewhere");
}

// A line's fields: as kRow has them.
std::array<std::string, 11> fields_of(const IoResult& result) {
  const bool shown = result.is_result();
  const bool spread = shown && result.processes > 1;
  return {short_name(result),
          median_text(result),
          result.unit,
          interval_text(result),
          spread ? fmt::format("{:.0f}", result.process_spread * 50) : "",
          ceiling_text(result),
          iops_text(result),
          shown ? ns_text(result.latency.p50) : "",
          shown ? ns_text(result.latency.p99) : "",
          shown ? ns_text(result.latency.p99_9) : "",
          result.published};
}

std::string row(const IoResult& result) {
  std::string line = std::apply([](const auto&... field) { return fmt::format(kRow, field...); },
                                fields_of(result));
  line.erase(line.find_last_not_of(" \n") + 1);
  return line + "\n";
}

constexpr const char* kMarkdownHead =
    "| test | median | | ±% | processes ±% | % of ceiling | IOPS | p50 us | p99 us | p99.9 us | "
    "published elsewhere |\n|:--|--:|:--|--:|--:|--:|--:|--:|--:|--:|:--|\n";

std::string markdown_row(const IoResult& result) {
  std::string line = "|";
  for (const std::string& field : fields_of(result)) line += " " + field + " |";
  return line + "\n";
}

std::string target_text(const IoTarget& target) {
  std::string text = fmt::format("{}: {}", target.path.string(), target.place);
  if (target.readahead_bytes) {
    text += fmt::format(", readahead {}", bytes_word(*target.readahead_bytes));
  }
  if (target.dax) text += ", DAX (MAP_SYNC)";
  if (target.memory) text += ", memory: never cold";
  return text + "\n";
}

std::string vectors_text(const IoRun& run) {
  const IoVectors& all = run.vectors;
  return fmt::format(
      "vectors, in elements: tiny {}, small {}, medium {}, large {} and huge {} of all processes "
      "together\n(huge is {:.3g} of nano's 2^30); MB is 10^6 bytes; {} repetitions, {}\n"
      "latencies: of pread and direct the read alone, of a mapping with the sum of its bytes\n",
      all.tiny, all.small, all.medium, all.large, all.huge, all.scale, run.options.reps,
      duration_text(run.elapsed_s));
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

std::string io_table(const IoRun& run) {
  std::string text;
  for (const IoTarget& target : run.targets) text += target_text(target);
  text += vectors_text(run);
  std::size_t processes = 0;
  std::string group;
  for (const IoResult& result : run.results) {
    if (result.processes != processes) {
      processes = result.processes;
      group.clear();
      text += fmt::format("\n{} process{}\n", processes, processes == 1 ? "" : "es") + head();
    }
    if (result.group != group) text += (group = result.group) + "\n";
    text += row(result);
  }
  const std::string below = notes(run);
  return below.empty() ? text : text + "\n" + below;
}

std::string io_markdown(const IoRun& run) {
  std::string text = "## Storage primitives\n\n";
  for (const IoTarget& target : run.targets) text += "- " + target_text(target);
  text += "\n" + vectors_text(run);
  std::size_t processes = 0;
  for (const IoResult& result : run.results) {
    if (result.processes != processes) {
      processes = result.processes;
      text += fmt::format("\n### {} process{}\n\n{}", processes, processes == 1 ? "" : "es",
                          kMarkdownHead);
    }
    text += markdown_row(result);
  }
  const std::string below = notes(run);
  return below.empty() ? text : text + "\n```\n" + below + "```\n";
}

std::string io_csv(const IoRun& run) {
  std::string text =
      "name,processes,unit,median,low,high,process_spread,bytes,operations,iops,p50_ns,p90_ns,"
      "p99_ns,p99_9_ns,device_bytes,major_faults,ceiling_mb_per_s,above_ceiling,error\n";
  const auto number = [](const auto& value) {
    return value ? fmt::format("{}", *value) : std::string();
  };
  for (const IoResult& result : run.results) {
    const bool shown = result.is_result();
    std::string error = result.error.value_or("");
    std::replace(error.begin(), error.end(), ',', ';');
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", result.name, result.processes,
        result.unit, shown ? fmt::format("{}", result.median) : "",
        shown && result.interval ? fmt::format("{}", result.interval->low) : "",
        shown && result.interval ? fmt::format("{}", result.interval->high) : "",
        result.process_spread, result.bytes, result.operations, result.iops,
        number(result.latency.p50), number(result.latency.p90), number(result.latency.p99),
        number(result.latency.p99_9), number(result.device_bytes_read), result.major_faults,
        result.ceiling_mb_s, result.above_ceiling ? 1 : 0, error);
  }
  return text;
}

}  // namespace hdbench
