// hdbench report: what saved runs say, as a page for a meeting or as text.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "bench/base/output_file.h"
#include "bench/base/report_error.h"
#include "bench/base/text_sink.h"
#include "bench/cli/commands.h"
#include "bench/report/html/html_page.h"
#include "bench/report/text/text_reports.h"
#include "bench/report/views/report_input.h"
#include "bench/report/views/report_pivot.h"
#include "bench/report/views/users_view.h"
#include "bench/results/forecasts.h"
#include "bench/results/results_json.h"
#include "bench/storage/io_results.h"
#include "engine/base/file_handle.h"
#include "engine/base/text.h"
#include "engine/base/write_guard.h"

namespace hdbench::bench {
namespace {

struct ReportFlags {
  std::vector<std::string> files;
  std::string out;
  bool force = false;
  std::vector<std::string> goals;
  std::string format;  // empty: a page, or on a terminal what is for it

  OutputFile output() const { return {"-o", out, force}; }
};

Status check_report_flags(const ReportFlags& flags) {
  if (flags.files.empty()) {
    return usage_error("report: give a results.json, as `hdbench run --out` writes it");
  }
  if (!flags.format.empty()) {
    HDB_TRY(check_word("--format", flags.format, {"html", "terminal", "csv", "markdown"}));
  }
  if (flags.out.empty() && flags.format == "html" && isatty(STDOUT_FILENO) != 0) {
    return usage_error(
        "report: a page of HTML is not for a terminal: add -o report.html, or leave out --format");
  }
  return ok_status();
}

// Nothing is ever written into a database, nor over what is read.
Status check_out(const ReportFlags& flags, const std::vector<SavedRun>& runs) {
  const std::string& out = flags.out;
  HDB_TRY(check_output(flags.output()));
  for (const SavedRun& run : runs) {
    for (const DatasetContext& dataset : run.context.datasets) {
      if (!dataset.database.empty()) HDB_TRY(check_outside("-o", out, dataset.database));
    }
  }
  return ok_status();
}

// What was given, by what measured it.
struct Given {
  std::vector<SavedRun> runs;
  std::vector<SavedIo> io;
  Forecasts forecasts;
};

// Whether the file is advice, a prediction or a device profile, which is then added.
Result<bool> read_forecast(const std::string& file, Forecasts& forecasts) {
  std::error_code error;
  if (std::filesystem::file_size(file, error) > kForecastBytesMax || error) return false;
  HDB_ASSIGN(const std::string text, read_text(file, kForecastBytesMax));
  switch (document_kind(text)) {
    case DocumentKind::kAdvice: {
      HDB_ASSIGN(Advice advice, parse_advice(text, file));
      forecasts.advice.push_back(std::move(advice));
      return true;
    }
    case DocumentKind::kPrediction: {
      HDB_ASSIGN(Prediction prediction, parse_prediction(text, file));
      forecasts.predictions.push_back(std::move(prediction));
      return true;
    }
    case DocumentKind::kProfile: {
      Result<DeviceProfile> profile = parse_profile(text, file);
      if (!profile.ok()) return data_error(profile.error().message);
      forecasts.profiles.push_back(std::move(*profile));
      return true;
    }
    case DocumentKind::kOther: break;
  }
  return false;
}

Result<Given> read_given(const ReportFlags& flags) {
  Given given;
  std::error_code error;
  for (const std::string& file : flags.files) {
    if (!flags.out.empty() && std::filesystem::equivalent(flags.out, file, error)) {
      return usage_error(fmt::format("-o: {} is one of the results that are read", flags.out));
    }
    HDB_ASSIGN(const bool is_forecast, read_forecast(file, given.forecasts));
    if (is_forecast) continue;
    if (!is_io_results(file)) {
      HDB_ASSIGN(SavedRun run, read_results(file));
      given.runs.push_back(std::move(run));
      continue;
    }
    HDB_ASSIGN(SavedIo io, read_io_results(file));
    given.io.push_back(std::move(io));
  }
  return given;
}

// Storage primitives alone.
std::string io_text(const std::vector<SavedIo>& io, const std::string& format) {
  if (format == "html") return io_page(io);
  std::string text;
  for (const SavedIo& one : io) {
    if (format == "markdown") text += io_markdown(one.run);
    if (format == "csv") text += io_csv(one.run);
    if (format == "terminal") text += io_table(one.run);
  }
  return text;
}

Result<std::string> forecasts_as(const Forecasts& forecasts, const std::string& format) {
  if (format == "csv") return forecast_csv(forecasts);
  if (format == "html") return forecast_page(forecasts);
  if (format == "markdown") return forecast_markdown(forecasts);
  return forecast_text(forecasts, output_look(100).columns);
}

// A page has its own way of showing names, and scripts that must stay as they are.
Status put_out(const ReportFlags& flags, const std::string& text) {
  const bool is_page = flags.format == "html";
  if (!flags.out.empty()) return write_output(flags.output(), is_page ? text : printable(text));
  TextSink sink = standard_output(nullptr, is_page ? Content::kData : Content::kText);
  sink.text() = text;
  return sink.finish();
}

std::string text_of(const ReportPivot& pivot, const std::vector<SavedIo>& io,
                    const ReportFlags& flags) {
  const std::string& format = flags.format;
  if (format == "csv") return csv_report(pivot);
  if (format == "html") return html_page(pivot, io);
  const std::string text =
      format == "markdown" ? markdown_report(pivot) : summary_report(pivot, output_look(100));
  return io.empty() ? text : text + "\n" + io_text(io, format);
}

Result<int> report(const FlagSet&, ReportFlags& flags) {
  HDB_TRY(check_report_flags(flags));
  if (flags.format.empty())
    flags.format = flags.out.empty() && isatty(STDOUT_FILENO) == 1 ? "terminal" : "html";
  HDB_ASSIGN(Given given, read_given(flags));
  if (!flags.out.empty()) HDB_TRY(check_out(flags, given.runs));
  if (!given.forecasts.empty()) {
    if (!given.runs.empty() || !given.io.empty()) {
      return usage_error(
          "report: results of `hdbench run` and `io` are shown apart from advice, predictions and "
          "device profiles: give them one after the other");
    }
    HDB_ASSIGN(const std::string text, forecasts_as(given.forecasts, flags.format));
    HDB_TRY(put_out(flags, text));
    return kFine;
  }
  if (given.runs.empty()) {
    HDB_TRY(put_out(flags, io_text(given.io, flags.format)));
    return kFine;
  }
  if (flags.format == "csv" && !given.io.empty()) {
    return usage_error(
        "--format csv: cells of `hdbench run` and of `hdbench io` have other columns: give them "
        "one after the other");
  }
  HDB_ASSIGN(ReportInput input, merge_runs(std::move(given.runs)));
  for (const std::string& text : flags.goals) {
    HDB_ASSIGN(LatencyGoal goal, parse_goal(text));
    input.goals.push_back(std::move(goal));
  }
  for (const std::string& note : input.notes) tell(fmt::format("report: {}", note));
  const ReportPivot pivot(input);
  HDB_TRY(put_out(flags, text_of(pivot, given.io, flags)));
  if (input.conflicts.empty()) return kFine;
  return Error{ErrorKind::kMismatch,
               fmt::format("results differ between files: {}", fmt::join(input.conflicts, "; ")),
               {}};
}

}  // namespace

void add_report_command(Commands& commands) {
  auto [command, flags] = commands.add<ReportFlags>(
      "report", "Show what saved runs say: a page with charts and answers, or text", report);
  command
      .add_path("RESULTS", PathUse::kReadsFile, flags.files,
                "what --out of `hdbench run`, `io`, `advise` or `predict` wrote, or device "
                "profiles; several are shown as one")
      .without_type();
  command.group("Output");
  command.add_path("-o,--out", PathUse::kWritesFile, flags.out,
                   "write it here; default: standard output");
  command.add_flag("--force", flags.force, kForceHelp);
  command.add("--format", "WORD", flags.format,
              "html (one file that works offline), terminal, csv or markdown; default: html, or "
              "terminal where standard output is one and -o is not given");
  command.add("--goal", "GOAL", flags.goals,
              "'p99<200ms at 20 users': the fewest cores (processes x -s) that meet it, and what "
              "the next step buys; of cells of run --users; may be repeated");
  command.examples({"hdbench report results.json -o report.html",
                    "hdbench report results.json --format terminal",
                    "hdbench report monday.json tuesday.json --format markdown",
                    "hdbench report advice.json -o advice.html",
                    "hdbench report dram.json cxl.json -o curves.html"});
}

}  // namespace hdbench::bench
