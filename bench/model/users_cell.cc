#include "bench/model/users_cell.h"

#include <fmt/format.h>

#include <algorithm>

namespace hdbench::bench {

std::string UsersQuestion::name() const {
  const std::string who =
      users != 0 ? fmt::format("users:{}", users) : fmt::format("arrivals:{:g}", arrivals_per_s);
  return fmt::format("{}/processes:{}/{}", who, processes, setting_name(setting));
}

std::optional<double> UsersCell::littles_ratio() const {
  const double expected = per_s * mean_ms() / 1e3;
  if (answers == 0 || expected <= 0) return std::nullopt;
  return in_system / expected;
}

bool is_same_pool(const UsersCell& a, const UsersCell& b) {
  return a.setting == b.setting && a.processes == b.processes && a.mix == b.mix;
}

bool is_same_question(const UsersQuestion& a, const UsersQuestion& b) {
  return a.name() == b.name() && a.mix == b.mix && a.mix_texts == b.mix_texts &&
         a.asked_seconds == b.asked_seconds;
}

std::optional<Saturation> saturation_of(const std::vector<UsersCell>& cells) {
  std::vector<const UsersCell*> closed;
  for (const UsersCell& cell : cells) {
    if (cell.users != 0 && cell.answers != 0) closed.push_back(&cell);
  }
  if (closed.size() < 2) return std::nullopt;
  std::ranges::sort(closed, {}, [](const UsersCell* cell) { return cell->users; });
  Saturation found;
  for (const UsersCell* cell : closed) found.most_per_s = std::max(found.most_per_s, cell->per_s);
  for (const UsersCell* cell : closed) {
    if (cell->per_s < Saturation::kReached * found.most_per_s) continue;
    found.at_users = cell->users;
    break;
  }
  found.is_reached = found.at_users < closed.back()->users;
  return found;
}

}  // namespace hdbench::bench
