#include "engine/base/nearest_word.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace hdbench {
namespace {

constexpr std::size_t kLettersMax = 64;

// Insertions, removals, replacements and swaps of neighbours.
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_word(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t kPrefixMin = 3;
  if (word.empty() || word.size() > kLettersMax) return {};
  std::string nearest;
  std::size_t fewest = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& one : known) {
    if (one.size() > kLettersMax) continue;
    const std::size_t edits = edits_between(word, one);
    // Two short words that share one letter are not near.
    if (edits < fewest && edits < std::max(word.size(), one.size()) - 1) {
      nearest = one;
      fewest = edits;
    }
  }
  if (!nearest.empty() || word.size() < kPrefixMin) return nearest;
  const auto begun = std::find_if(known.begin(), known.end(),
                                  [&](const std::string& one) { return one.starts_with(word); });
  return begun == known.end() ? "" : *begun;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string nearest = nearest_word(word, known);
  return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

}  // namespace hdbench
