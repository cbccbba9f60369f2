// What is behind flags: media, sizes, places of columns, axes, schemas, Google Benchmark's flags.
#include "bench/base/layers.h"
#include "bench/base/name_pattern.h"
#include "bench/cli/run_flags.h"
#include "bench/kdb/what_if.h"
#include "bench/machine/latency_checker.h"
#include "bench/model/axes.h"
#include "bench/model/column_places.h"
#include "bench/ranks/sharing.h"
#include "bench/report/views/users_view.h"
#include "bench/users/query_mix.h"
#include "pmem/base/medium_spec.h"
#include "tests/fuzz/fuzz_input.h"

namespace hdbench::fuzz {
using namespace bench;
using namespace pmem;
using namespace queries;

void run_words(Bytes input) {
  const std::string text(as_text(input));
  if (const auto medium = parse_medium_spec(text); medium.ok()) {
    const auto again = parse_medium_spec(to_text(*medium));
    require(again.ok() && to_text(*again) == to_text(*medium), "a medium's text is a medium");
  }
  static_cast<void>(parse_interleave(text).ok());
  static_cast<void>(parse_size(text).ok());
  if (const auto near = parse_near(text); near.ok()) {
    require(near->share >= 0 && near->share <= 1, "a share is of the whole");
  }
  if (const auto rule = parse_limit_rule(text); rule.ok())
    require(rule->spill.empty() == (rule->what != OnLimit::kSpill), "what spills says where to");
  static_cast<void>(parse_words("--medium", text).ok());
  static_cast<void>(parse_threads(text, 2).ok());
  if (const auto pattern = NamePattern::make("--tests", text); pattern.ok()) {
    static_cast<void>(pattern->chooses("Q01/medium:nvme"));
  }
  static_cast<void>(parse_places({text}).ok());
  if (const auto choice = parse_column_choice(text); choice.ok())
    require(parse_column_choice(to_text(*choice)).ok(), "a choice's text is a choice");
  static_cast<void>(parse_loaded_latency(text));
  static_cast<void>(parse_peak_bandwidth(text));
  static_cast<void>(what_if_table("--table", text, text.size() % 2 == 0, "select from t").ok());
  static_cast<void>(place_lists({text}).ok());
  static_cast<void>(parse_share(text).ok());
  if (const auto shards = parse_shards(text, "shards"); shards.ok())
    static_cast<void>(owners_by_shards({{1, "2024.01.02", 0}}, *shards, "shards", {"a", "b"}).ok());
  static_cast<void>(parse_google_flags({text}).ok());
  static_cast<void>(plan_users({text, text, text, text, text}, 1).ok());
  if (const auto goal = parse_goal(text); goal.ok()) {
    require(goal->users >= 1 && goal->ms > 0, "a goal has users and a time");
  }
  std::vector<ListedQuery> queries(2);
  queries[0].id = 1;
  queries[1].id = 12;
  if (const auto mix = parse_mix(text, "mix", queries); mix.ok()) {
    QueryDeck deck(*mix, 1);
    static_cast<void>(deck.next());
  }
}

}  // namespace hdbench::fuzz
