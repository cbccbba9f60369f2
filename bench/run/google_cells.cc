#include "bench/run/google_cells.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <charconv>
#include <string_view>

namespace hdbench {
namespace {

// The figures are kept by who is called; what is printed comes at the end of the run.
class NoReport final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& /*context*/) override { return true; }
  void ReportRuns(const std::vector<Run>& /*runs*/) override {}
};

void call(const GoogleCell& cell, benchmark::State& state, Status& status) {
  for (auto _ : state) {
    if (!status.ok()) {
      state.SkipWithError("the round has ended");
      return;
    }
    const auto called = cell.call();
    if (!called.ok()) {
      status = called.error();
      state.SkipWithError(called.error().message.c_str());
      return;
    }
    if (!*called) {
      state.SkipWithError("0N");
      return;
    }
    const CalledOnce& once = **called;
    state.SetIterationTime(once.real_ms * 1e-3);
    state.counters["rows"] = static_cast<double>(once.rows);
    state.SetBytesProcessed(static_cast<std::int64_t>(once.bytes));
  }
}

Result<std::size_t> count_of(std::string_view name, std::string_view text) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error == std::errc{} && end == text.data() + text.size() && count >= 1) return count;
  return usage_error(fmt::format("{}: '{}' is not a number from 1 up", name, text));
}

bool is_true(std::string_view text) { return text == "true" || text == "1" || text.empty(); }

struct Flag {
  std::string_view name;
  std::string_view value;
};

Flag split(std::string_view argument) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string_view::npos) return {argument, {}};
  return {argument.substr(0, equals), argument.substr(equals + 1)};
}

std::optional<std::string_view> why_not_here(std::string_view name) {
  if (name == "--benchmark_min_time")
    return "a cell is called once a repetition: --reps and --precision say how often";
  if (name == "--benchmark_out_format") return "the file is JSON";
  if (name == "--benchmark_report_aggregates_only" || name == "--benchmark_display_aggregates_only")
    return "a cell is one entry, with its median and all its times";
  return std::nullopt;
}

// What the library is asked to take. Errors: it does not know it.
Status hand_on(const std::string& argument) {
  std::string program = "hdbench";
  std::string copy = argument;
  char* arguments[] = {program.data(), copy.data(), nullptr};
  int count = 2;
  benchmark::Initialize(&count, arguments);
  if (count == 1) return ok_status();
  return usage_error(fmt::format("{}: no flag of Google Benchmark's", argument));
}

}  // namespace

Status run_google_cells(const std::vector<GoogleCell>& cells) {
  Status status = ok_status();
  for (const GoogleCell& cell : cells) {
    benchmark::RegisterBenchmark(cell.name.c_str(),
                                 [&](benchmark::State& state) { call(cell, state, status); })
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  }
  NoReport report;
  if (!cells.empty()) benchmark::RunSpecifiedBenchmarks(&report, nullptr, ".");
  benchmark::ClearRegisteredBenchmarks();
  return status;
}

Result<GoogleFlags> parse_google_flags(const std::vector<std::string>& arguments) {
  GoogleFlags flags;
  for (const std::string& argument : arguments) {
    const Flag flag = split(argument);
    if (const auto why = why_not_here(flag.name)) {
      return usage_error(fmt::format("{}: not here: {}", flag.name, *why));
    }
    if (flag.name == "--benchmark_filter") {
      flags.filter = flag.value == "all" ? "" : flag.value;
    } else if (flag.name == "--benchmark_list_tests") {
      flags.list = is_true(flag.value);
    } else if (flag.name == "--benchmark_repetitions") {
      HDB_ASSIGN(flags.repetitions, count_of(flag.name, flag.value));
    } else if (flag.name == "--benchmark_format") {
      if (flag.value != "json" && flag.value != "console") {
        return usage_error(fmt::format("{}: '{}': known are json and console (report gives csv)",
                                       flag.name, flag.value));
      }
      flags.json = flag.value == "json";
    } else {
      HDB_TRY(hand_on(argument));
    }
  }
  return flags;
}

Result<CellFilter> CellFilter::make(const std::string& text) {
  CellFilter filter;
  if (text.empty()) return filter;
  filter.leaves_out_ = text.front() == '-';
  HDB_ASSIGN(filter.pattern_,
             NamePattern::make("--benchmark_filter", filter.leaves_out_ ? text.substr(1) : text));
  return filter;
}

bool CellFilter::holds(const std::string& name) const {
  return holds_all() || pattern_.found_in(name) != leaves_out_;
}

}  // namespace hdbench
