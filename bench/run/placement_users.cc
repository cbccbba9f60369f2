#include "bench/run/placement_users.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "bench/base/progress.h"

namespace hdbench::bench {
namespace {

bool is_whole(const UsersCell& cell) { return cell.rounds == kUsersRounds && !cell.error; }

}  // namespace

Status PlacementUsers::begin() {
  mix_ = even_mix(queries_);
  if (!plan_.mix.empty()) {
    HDB_ASSIGN(mix_, read_mix(plan_.mix, queries_));
  }
  return ok_status();
}

std::vector<UsersQuestion> PlacementUsers::asked(const std::vector<Setting>& settings) const {
  std::vector<UsersQuestion> asked =
      users_questions(plan_, settings, session_.pools().all_threads());
  if (SharedPartitions* const ranks = session_.job_ranks()) {
    for (UsersQuestion& one : asked) one.setting.ranks = std::to_string(ranks->count());
  }
  std::erase_if(asked, [&](const UsersQuestion& one) { return !filter_.chooses(one.name()); });
  for (UsersQuestion& one : asked) {
    one.mix = to_text(mix_);
    one.mix_texts = texts_of(mix_, queries_);
  }
  return asked;
}

std::vector<UsersQuestion> PlacementUsers::missing(const std::vector<Setting>& settings) const {
  std::vector<UsersQuestion> missing = asked(settings);
  std::erase_if(missing, [&](const UsersQuestion& one) {
    return std::ranges::any_of(cells_, [&](const UsersCell& known) {
      return is_whole(known) && is_same_question(known, one);
    });
  });
  return missing;
}

double PlacementUsers::estimate_s(const std::vector<Setting>& settings) const {
  constexpr double kWithBeginning = 1.1;  // a tenth before what is measured
  return kWithBeginning * plan_.seconds * static_cast<double>(missing(settings).size());
}

Status PlacementUsers::take(const std::vector<Setting>& settings,
                            const std::vector<UsersCell>& before, ChecksumLedger& ledger) {
  for (const UsersQuestion& one : asked(settings)) {
    const auto known = std::ranges::find_if(before, [&](const UsersCell& cell) {
      return is_whole(cell) && is_same_question(cell, one);
    });
    if (known == before.end()) continue;
    for (const auto& [query, checksum] : known->checksums)
      HDB_TRY(ledger.add(query, query_label(query) + "/" + known->name(), checksum));
    cells_.push_back(*known);
  }
  return ok_status();
}

void PlacementUsers::keep(const UsersCell& cell) {
  const auto known = std::ranges::find(cells_, cell.name(), &UsersCell::name);
  if (known == cells_.end()) {
    cells_.push_back(cell);
  } else {
    *known = cell;
  }
}

std::string PlacementUsers::refusal(const BoundQueries& bound, TablePlacement& placement) const {
  // Cells of another mix could not be compared with those of other placements.
  for (const auto& [query, weight] : mix_) {
    if (!bound.contains(query))
      return fmt::format("--users: it cannot answer {}: name the others by --mix FILE",
                         query_label(query));
  }
  return users_refusal(session_, placement);
}

Status PlacementUsers::run(const std::vector<Setting>& settings, const BoundQueries& bound,
                           TablePlacement& placement, const Beside& beside) {
  const std::vector<UsersQuestion> questions = missing(settings);
  if (questions.empty()) return ok_status();
  if (const std::string reason = refusal(bound, placement); !reason.empty()) {
    beside.leave_out(fmt::format("{}: {}", beside.title, reason));
    return ok_status();
  }
  std::vector<UsersMeasured> measured(questions.size());
  for (std::size_t at = 0; at < questions.size(); ++at)
    static_cast<UsersQuestion&>(measured[at].cell) = questions[at];
  Progress progress(beside.title);
  const std::size_t steps = kUsersRounds * measured.size();
  for (std::size_t step = 0; step < steps; ++step) {
    UsersMeasured& one = measured[step % measured.size()];
    if (one.cell.error) continue;
    const auto deadline = beside.budget.deadline();
    if (step != 0 && deadline && TimeBudget::Clock::now() >= *deadline) {
      beside.leave_out(fmt::format("{}: --users: the budget ended after {} of {} rounds",
                                   beside.title, step, steps));
      break;
    }
    const auto show = [&](double share) {
      progress.show_share((static_cast<double>(step) + share) / static_cast<double>(steps),
                          one.cell.name());
    };
    HDB_TRY(run_users_round(session_, bound, placement, plan_, mix_, beside.ledger, show, one));
    keep(one.cell);
    beside.keep();
  }
  return ok_status();
}

}  // namespace hdbench::bench
