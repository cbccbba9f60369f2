#include "engine/kernel/like.h"

#include <cstddef>

namespace hdbench {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

// Whether `letter` is in a class's items: letters and ranges. A `-` at either end is itself.
bool in_items(char letter, std::string_view items) {
  const auto code = static_cast<unsigned char>(letter);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto low = static_cast<unsigned char>(items[i]);
    if (i + 2 < items.size() && items[i + 1] == '-') {
      const auto high = static_cast<unsigned char>(items[i + 2]);
      if (low <= code && code <= high) return true;
      i += 2;
    } else if (low == code) {
      return true;
    }
  }
  return false;
}

// Where the class that begins at `open` is closed; kNowhere: nowhere. A `]` that comes first is
// itself.
std::size_t close_of(std::string_view pattern, std::size_t open) {
  const std::size_t first = open + (pattern.substr(open + 1).starts_with('^') ? 2 : 1);
  return pattern.find(']', first + 1);
}

// Whether `letter` matches the pattern's element at `place` (no star), and where the next one is.
struct Step {
  bool matches = false;
  std::size_t next = kNowhere;
};

Step match_one(char letter, std::string_view pattern, std::size_t place) {
  if (pattern[place] == '?') return {true, place + 1};
  if (pattern[place] != '[') return {pattern[place] == letter, place + 1};
  const std::size_t close = close_of(pattern, place);
  if (close == kNowhere) return {};
  std::string_view items = pattern.substr(place + 1, close - place - 1);
  const bool inverted = !items.empty() && items.front() == '^';
  if (inverted) items.remove_prefix(1);
  return {in_items(letter, items) != inverted, close + 1};
}

}  // namespace

bool like(std::string_view text, std::string_view pattern) {
  std::size_t at = 0;
  std::size_t place = 0;
  // Only the last star need ever be tried again: what came before it has been matched as early
  // as it can be.
  std::size_t after_star = kNowhere;
  std::size_t star_took_to = 0;
  while (at < text.size()) {
    if (place < pattern.size() && pattern[place] == '*') {
      after_star = ++place;
      star_took_to = at;
      continue;
    }
    if (place < pattern.size()) {
      const Step step = match_one(text[at], pattern, place);
      if (step.matches) {
        place = step.next;
        ++at;
        continue;
      }
    }
    if (after_star == kNowhere) return false;
    place = after_star;
    at = ++star_took_to;
  }
  while (place < pattern.size() && pattern[place] == '*') ++place;
  return place == pattern.size();
}

bool is_like_pattern(std::string_view pattern) {
  std::size_t place = 0;
  while ((place = pattern.find('[', place)) != kNowhere) {
    place = close_of(pattern, place);
    if (place == kNowhere) return false;
  }
  return true;
}

}  // namespace hdbench
