// Which habit suits this machine's cores (engine/kernel/core_habit.h): the eleven over a flat table
// in DRAM, under the habits that are known and those that are given, in turn.
//
//   core_habits DB [-s THREADS] [--reps N] [--codes stored|narrow] [--attr none|parted]
//               [--query N,...] [--habit
//               SECOND/FIRST,SECOND/FIRST,PACKING,TURNS,WIDE,LIE,BETWEEN]...
//
// A habit's words are CoreHabit's fields: distances of wide and of narrow elements, bytes ahead of
// what is packed, 1 where stretches are packed in turn, codes compared at 8 bytes, 1 where known
// keys are compared as they lie, 1 where lines are fetched between passes. Printed: the median time
// under this machine's own habit, and of each other the median of the repetitions' own ratios, its
// time over the own one's, with the quartiles; "again" is the own one a second time: what two equal
// things differ by here. Before each run the threads read a GiB of other memory. Ends with 4 where
// results differ; else it is read, not passed.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "bench/base/report_error.h"
#include "bench/base/statistics.h"
#include "bench/run/session.h"
#include "engine/kernel/core_habit.h"
#include "engine/kernel/stream.h"
#include "pmem/memory/huge_memory.h"
#include "queries/query_file.h"

namespace hdbench {
namespace {

struct Choice {
  std::string database;
  std::size_t threads = 1;
  std::size_t reps = 15;
  std::string codes = "stored";
  std::string attr = "none";
  std::vector<int> queries;
  std::vector<std::string> habits;
};

Result<CoreHabit> parse_habit(const std::string& text) {
  CoreHabit habit{text.c_str(), {0, 0}, {0, 0}, 0, false, 0, false, false};
  unsigned turns = 0;
  unsigned lie = 0;
  unsigned between = 0;
  int end = 0;
  const int fields = std::sscanf(
      text.c_str(), "%zu/%zu,%zu/%zu,%zu,%u,%zu,%u,%u%n", &habit.scan.second_level,
      &habit.scan.first_level, &habit.narrow_scan.second_level, &habit.narrow_scan.first_level,
      &habit.packing, &turns, &habit.compared_wide, &lie, &between, &end);
  constexpr int kFields = 9;
  if (fields != kFields || static_cast<std::size_t>(end) != text.size()) {
    return usage_error(
        fmt::format("--habit: '{}' is not one, such as "
                    "16384/1024,16384/1024,4096,1,0,0,0",
                    text));
  }
  habit.packing_interleaved = turns != 0;
  habit.known_as_they_lie = lie != 0;
  habit.fetches_between = between != 0;
  return habit;
}

// More than most caches hold, read before each timed run.
class Emptier {
 public:
  static Result<Emptier> make() {
    constexpr std::size_t kBytes = std::size_t{1} << 30;
    HDB_ASSIGN(Region region, map_huge_memory(kBytes));
    Emptier emptier(std::move(region));
    stream_fill(emptier.words(), 1, StoreKind::kNormal);
    return emptier;
  }
  // By all threads, a piece at a time.
  void read(ThreadPool& pool) const {
    constexpr std::size_t kPieces = 64;
    const std::span<const std::uint64_t> all = words();
    const std::size_t count = all.size() / kPieces;
    pool.run(kPieces, [&](std::size_t piece, std::size_t) {
      const auto sum = stream_sum(all.subspan(piece * count, count), StreamOrder::kLinear);
      HDB_CHECK(sum == count, "memory holds what was written");
    });
  }

 private:
  explicit Emptier(Region region) : region_(std::move(region)) {}
  std::span<std::uint64_t> words() const {
    return {reinterpret_cast<std::uint64_t*>(region_.bytes.data()),
            region_.bytes.size() / sizeof(std::uint64_t)};
  }
  Region region_;
};

struct Trial {
  const Table& table;
  const Plan& plan;
  const Setting& setting;
  Session& session;
  Medium& medium;
  const Emptier& emptier;
};

Result<double> ms_under(const CoreHabit* habit, const Trial& trial, std::uint64_t& answer) {
  trial.emptier.read(trial.session.pools().of(trial.setting.threads));
  testing::set_core_habit(habit);
  auto run = trial.session.run(trial.table, trial.plan, trial.setting, trial.medium);
  testing::set_core_habit(nullptr);
  if (!run.ok()) return run.error();
  answer = checksum(*run->table);
  return run->real_ms;
}

std::string ratio_text(std::vector<double> ratios) {
  std::sort(ratios.begin(), ratios.end());
  return fmt::format("{:>6.3f} ({:.2f}-{:.2f})", median(ratios), ratios[ratios.size() / 4],
                     ratios[ratios.size() * 3 / 4]);
}

Status print_query(int id, const Trial& trial, std::span<const CoreHabit* const> habits,
                   std::size_t reps) {
  std::vector<std::vector<double>> ratios(habits.size());
  std::vector<double> own;
  std::uint64_t answer = 0;
  for (std::size_t rep = 0; rep <= reps; ++rep) {
    std::vector<double> ms(habits.size());
    for (std::size_t k = 0; k < habits.size(); ++k) {
      const std::size_t h = (k + rep) % habits.size();
      std::uint64_t got = 0;
      HDB_ASSIGN(ms[h], ms_under(habits[h], trial, got));
      if (rep + k > 0 && got != answer) {
        return Error{ErrorKind::kMismatch,
                     fmt::format("query {}: another result under {}", id, habits[h]->name),
                     {}};
      }
      answer = got;
    }
    if (rep == 0) continue;  // warms
    own.push_back(ms.front());
    for (std::size_t h = 0; h < habits.size(); ++h) ratios[h].push_back(ms[h] / ms.front());
  }
  fmt::print("{:>5}{:>10.3f}", id, median(own));
  for (std::size_t h = 1; h < habits.size(); ++h) fmt::print("  {}", ratio_text(ratios[h]));
  fmt::print("\n");
  std::fflush(stdout);
  return ok_status();
}

// This machine's own twice, then the others.
void print_habits(std::span<const CoreHabit* const> habits) {
  fmt::print("{:>5}{:>10}  {:>18}", "query", "ms", "again");
  for (std::size_t h = 2; h < habits.size(); ++h) {
    const std::string name = habits[h]->name;
    fmt::print("  {:>18}", name.size() <= 18 ? name : fmt::format("[{}]", h));
  }
  fmt::print("\n");
}

Status measure(const Choice& choice) {
  std::vector<CoreHabit> given;
  for (const std::string& text : choice.habits) {
    HDB_ASSIGN(const CoreHabit habit, parse_habit(text));
    given.push_back(habit);
  }
  std::vector<const CoreHabit*> habits{&core_habit(), &core_habit()};
  for (const CoreHabit* const known : kCoreHabits) {
    if (known != &core_habit()) habits.push_back(known);
  }
  for (const CoreHabit& habit : given) habits.push_back(&habit);

  SessionOptions options;
  options.database = choice.database;
  HDB_ASSIGN(const auto session, Session::open(std::move(options)));
  HDB_ASSIGN(const auto file, find_query_file("paper.q"));
  HDB_ASSIGN(const std::vector<ListedQuery> queries, queries_of_file(file, std::nullopt));
  HDB_TRY(check_tables(queries, session->database()));
  HDB_ASSIGN(const auto codes, parse_word<Codes>("--codes", choice.codes));
  HDB_ASSIGN(const auto attr, parse_word<AttrUse>("--attr", choice.attr));
  HDB_ASSIGN(const auto placement,
             session->place(tables_of(queries), "dram", Layout::kFlat, codes));
  using Plans = std::map<int, Plan>;
  HDB_ASSIGN(const Plans plans, bind_all(queries, *placement));
  HDB_TRY(session->map_needed(queries, plans, *placement));
  HDB_ASSIGN(const Emptier emptier, Emptier::make());

  Setting setting;
  setting.medium = "dram";
  setting.layout = Layout::kFlat;
  setting.attr = attr;
  setting.threads = choice.threads;
  setting.codes = codes;
  fmt::print("flat, dram, mode 4.0, codes {}, attr {}, {} threads, {} repetitions; own habit: {}\n",
             choice.codes, choice.attr, choice.threads, choice.reps, core_habit().name);
  for (std::size_t h = 0; h < habits.size(); ++h) fmt::print("[{}] {}\n", h, habits[h]->name);
  print_habits(habits);
  for (const ListedQuery& listed : queries) {
    const bool is_chosen =
        choice.queries.empty() ||
        std::find(choice.queries.begin(), choice.queries.end(), listed.id) != choice.queries.end();
    if (!is_chosen) continue;
    HDB_TRY(print_query(listed.id,
                        {placement->table(listed.query.table_name()), plans.at(listed.id), setting,
                         *session, placement->medium(), emptier},
                        habits, choice.reps));
  }
  return ok_status();
}

}  // namespace
}  // namespace hdbench

int main(int argc, char** argv) {
  hdbench::Choice choice;
  CLI::App app{
      "The eleven queries under each habit of a core, in turn (the first lines of "
      "bench/validation/core_habits.cc)"};
  app.add_option("DB", choice.database, "a database of `hdbench gen --profile paper`")->required();
  app.add_option("-s,--threads", choice.threads, "threads")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--reps", choice.reps, "repetitions, after one that is not counted")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--codes", choice.codes, "stored or narrow")->capture_default_str();
  app.add_option("--attr", choice.attr, "none or parted")->capture_default_str();
  app.add_option("--query", choice.queries, "of paper.q; else all")->delimiter(',');
  app.add_option("--habit", choice.habits, "one more: 16384/1024,16384/1024,4096,1,0,0,0")
      ->expected(1)
      ->take_all();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  const hdbench::Status done = hdbench::measure(choice);
  return done.ok() ? 0 : hdbench::report_error(done.error());
}
