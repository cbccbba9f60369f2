// hdbench advise: which columns to keep in which memory, at what loss and price.
#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "bench/advise/advice.h"
#include "bench/advise/verification.h"
#include "bench/base/output_file.h"
#include "bench/base/report_error.h"
#include "bench/base/text_sink.h"
#include "bench/cli/axis_flags.h"
#include "bench/cli/commands.h"
#include "bench/model/query_check.h"
#include "bench/report/text/text_reports.h"
#include "bench/users/query_mix.h"
#include "queries/query_file.h"

namespace hdbench::bench {
namespace {

struct AdviseFlags {
  AxisFlags axes;
  std::string queries;
  std::string weights;
  std::string tiers;
  std::string slowdown;
  std::optional<double> budget;
  std::size_t newest = 0;
  double size = 1;
  std::size_t repetitions = 5;
  bool verify = false;
  std::string format = "table";
  std::string out;
  bool force = false;
};

// "15%" or "0.15".
Result<double> parse_slowdown(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  const bool is_percent = error == std::errc() && rest + 1 == end && *rest == '%';
  if ((error == std::errc() && (rest == end || is_percent)) && value >= 0 && value < 1e6)
    return is_percent ? value / 100 : value;
  return usage_error(fmt::format("--slowdown: '{}', expected a share such as 15%", text));
}

Result<int> advise_command(const FlagSet&, AdviseFlags& flags) {
  HDB_TRY(check_word("--format", flags.format, {"table", "json"}));
  const OutputFile out{"--out", flags.out, flags.force};
  HDB_TRY(check_output(out));
  AdviceQuestion question;
  if (flags.tiers.empty()) return usage_error("--tiers: a file with the tiers is missing");
  if (flags.slowdown.empty() == !flags.budget.has_value())
    return usage_error("advise: give one of --slowdown and --budget");
  if (!flags.slowdown.empty()) {
    HDB_ASSIGN(question.slowdown, parse_slowdown(flags.slowdown));
  }
  if (flags.budget && !(*flags.budget >= 0))
    return usage_error(fmt::format("--budget: {}, expected a price from 0 on", *flags.budget));
  if (!(flags.size > 0)) return usage_error("--times: expected a number above 0");
  if (flags.verify && flags.size != 1)
    return usage_error("--verify: runs the data that are there: leave out --times");
  HDB_ASSIGN(question.tiers, read_tiers(flags.tiers));
  question.budget = flags.budget;
  question.newest = flags.newest;
  question.size = flags.size;
  question.repetitions = flags.repetitions;
  std::filesystem::path query_file = flags.queries;
  if (flags.queries.empty()) {
    HDB_ASSIGN(query_file, find_query_file("paper.q"));
  }
  HDB_ASSIGN(SessionOptions options, session_options(flags.axes));
  std::vector<std::string> left_out;
  HDB_ASSIGN(std::vector<ListedQuery> queries,
             queries_of_file(query_file, std::nullopt, options.params, &left_out));
  if (!flags.weights.empty()) {
    HDB_ASSIGN(const QueryMix mix, read_mix(flags.weights, queries));
    for (const auto& [id, weight] : mix) question.weights[id] = static_cast<double>(weight);
    std::erase_if(queries,
                  [&](const ListedQuery& listed) { return !question.weights.contains(listed.id); });
  }
  HDB_ASSIGN(const std::unique_ptr<Session> session, Session::open(std::move(options)));
  HDB_ASSIGN(queries, runnable_queries(std::move(queries), session->database(), left_out));
  for (const std::string& line : left_out) tell(fmt::format("not run: {}", line));
  HDB_ASSIGN(const Setting setting, one_setting(flags.axes, session->pools().all_threads()));
  HDB_ASSIGN(Advice advice, advise(*session, queries, setting, question));
  if (flags.verify) HDB_TRY(verify(*session, queries, setting, flags.repetitions, advice));
  if (flags.format == "json") {
    HDB_TRY(print_text(to_json_text(advice)));
    return kFine;
  }
  const Status written = write_output(out, to_json_text(advice));
  HDB_TRY(print_text(forecast_text({{advice}, {}, {}}, output_look(100).columns)));
  if (!written.ok()) return written.error();
  return kFine;
}

}  // namespace

void add_advise_command(Commands& commands) {
  auto [command, flags] = commands.add<AdviseFlags>(
      "advise", "Say which columns to keep in which memory, at what loss and price",
      advise_command);
  add_axis_flags(command, AxisForm::kRecord, flags.axes);
  command.group("Questions");
  command.add_path("--tiers", PathUse::kReadsFile, flags.tiers,
                   "the memories and disks that one may buy: TOML, see examples/tiers.toml");
  command.add("--slowdown", "SHARE", flags.slowdown,
              "find the cheapest placement in which the queries take so much longer at most");
  command.add("--budget", "N", flags.budget, "find the fastest placement of this price at most");
  command.add_path("--queries", PathUse::kReadsFile, flags.queries,
                   "a query file; default: the paper's eleven, as printed");
  command.add_path("--weights", PathUse::kReadsFile, flags.weights,
                   "how often each query is put, as users' --mix; default: all alike");
  command.add("--newest", "N", flags.newest,
              "the newest N partitions of a column may lie apart from the older ones");
  command.add("--times", "N", flags.size, "for a database N times as large");
  command.add("--reps", "N", flags.repetitions, "recorded runs of each query");
  command.add_flag("--verify", flags.verify,
                   "run the advice, emulated, and say how far it was off");
  command.group("Output");
  command.add("--format", "WORD", flags.format, "table or json");
  command.add_path("--out", PathUse::kWritesFile, flags.out,
                   "write the advice here as JSON, for hdbench report");
  command.add_flag("--force", flags.force, kForceHelp);
  command.examples({"hdbench advise /data/hdb --tiers tiers.toml --slowdown 15%",
                    "hdbench advise /data/hdb --tiers tiers.toml --budget 40000 --times 20",
                    "hdbench advise /data/hdb --tiers tiers.toml --slowdown 10% --queries mine.q "
                    "--weights often.txt --newest 20 --verify"});
}

}  // namespace hdbench::bench
