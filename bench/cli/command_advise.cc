// hdbench advise: which columns to keep in which memory, at what loss and price.
#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "bench/advise/advice.h"
#include "bench/base/lines.h"
#include "bench/base/text_sink.h"
#include "bench/cli/axis_flags.h"
#include "bench/cli/commands.h"
#include "bench/model/query_check.h"
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

std::string gb(std::uint64_t bytes) {
  return fmt::format("{:.3f}", static_cast<double>(bytes) * 1e-9);
}

std::string advice_text(const Advice& advice) {
  const PlacementProblem& problem = advice.problem;
  std::uint64_t all = 0;
  for (const std::uint64_t bytes : advice.bytes_by_tier) all += bytes;
  std::string parts;
  for (std::size_t t = 0; t < problem.tiers.size(); ++t) {
    if (advice.bytes_by_tier[t] == 0) continue;
    parts += fmt::format("{}{:.0f} % of the bytes in {}", parts.empty() ? "" : ", ",
                         100.0 * static_cast<double>(advice.bytes_by_tier[t]) /
                             static_cast<double>(std::max<std::uint64_t>(all, 1)),
                         problem.tiers[t].name);
  }
  std::string text = fmt::format(
      "{}: the queries take {:.1f} % longer than with all in DRAM, and the memory costs {:.6g} "
      "instead of {:.6g} ({:+.0f} %).\n\n",
      parts, advice.slowdown() * 100, advice.price, advice.dram_price,
      (advice.price / std::max(advice.dram_price, 1e-12) - 1) * 100);
  TextRows tiers{{"tier", "medium", "GB", "price", "columns"}};
  for (std::size_t t = 0; t < problem.tiers.size(); ++t) {
    std::string columns;
    for (std::size_t i = 0; i < problem.items.size(); ++i) {
      if (advice.tier_of_item[i] != t) continue;
      const PlacedItem& item = problem.items[i];
      columns += fmt::format("{}{}.{}", columns.empty() ? "" : " ", item.table, item.column);
    }
    tiers.push_back({problem.tiers[t].name, problem.tiers[t].medium, gb(advice.bytes_by_tier[t]),
                     fmt::format("{:.6g}", price_of(problem.tiers[t], advice.bytes_by_tier[t])),
                     columns});
  }
  text += aligned(tiers, 2);
  TextRows queries{{"query", "weight", "DRAM ms", "placed ms", "slower"}};
  for (const AdvisedQuery& query : advice.queries) {
    queries.push_back({query_label(query.id), fmt::format("{:.6g}", query.weight),
                       fmt::format("{:.3f}", query.dram_ms), fmt::format("{:.3f}", query.placed_ms),
                       fmt::format("{:+.1f} %", (query.placed_ms / query.dram_ms - 1) * 100)});
  }
  text += "\n" + aligned(queries, 1);
  TextRows frontier{{"slower", "price"}};
  for (const Tier& tier : problem.tiers) frontier[0].push_back(tier.name + " GB");
  for (const FrontierPoint& point : advice.frontier) {
    frontier.push_back(
        {fmt::format("{:.1f} %", point.slowdown * 100), fmt::format("{:.6g}", point.price)});
    for (const std::uint64_t bytes : point.bytes_by_tier) frontier.back().push_back(gb(bytes));
  }
  text += "\nthe frontier: what less time costs\n" + aligned(frontier, 0);
  const PlaceFlags flags = place_flags(advice);
  text += "\nto run it: --medium " + flags.medium;
  for (const std::string& place : flags.places) text += fmt::format(" --place {}", place);
  return text + "\n";
}

Result<int> advise_command(const FlagSet&, AdviseFlags& flags) {
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
  HDB_ASSIGN(std::vector<ListedQuery> queries,
             queries_of_file(query_file, std::nullopt, options.params));
  if (!flags.weights.empty()) {
    HDB_ASSIGN(const QueryMix mix, read_mix(flags.weights, queries));
    for (const auto& [id, weight] : mix) question.weights[id] = static_cast<double>(weight);
    std::erase_if(queries,
                  [&](const ListedQuery& listed) { return !question.weights.contains(listed.id); });
  }
  HDB_ASSIGN(const std::unique_ptr<Session> session, Session::open(std::move(options)));
  std::vector<std::string> left_out;
  HDB_ASSIGN(queries, runnable_queries(std::move(queries), session->database(), left_out));
  for (const std::string& line : left_out) tell(fmt::format("not run: {}", line));
  HDB_ASSIGN(const Setting setting, one_setting(flags.axes, session->pools().all_threads()));
  HDB_ASSIGN(const Advice advice, advise(*session, queries, setting, question));
  HDB_TRY(print_text(advice_text(advice)));
  return kFine;
}

}  // namespace

void add_advise_command(Commands& commands) {
  auto [command, flags] = commands.add<AdviseFlags>(
      "advise", "Say which columns to keep in which memory, at what loss and price",
      advise_command);
  add_axis_flags(command, AxisForm::kSearch, flags.axes);
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
}

}  // namespace hdbench::bench
