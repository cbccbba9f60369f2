#include "engine/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>

#include "engine/base/bytes.h"

namespace hdbench {
namespace {

bool is_follower(unsigned char byte) { return (byte & 0xC0) == 0x80; }

// Requires: as many bytes as utf8_bytes() gives.
char32_t code_point(std::string_view character) {
  const auto first = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return first;
  char32_t code = first & (0x7Fu >> character.size());
  for (const char byte : character.substr(1)) {
    code = code << 6 | (static_cast<unsigned char>(byte) & 0x3Fu);
  }
  return code;
}

bool may_stay(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return value >= ' ' && value < 0x7F;
}

constexpr std::string_view kLayout = "\n\t";

// Most text, which is copied without a look at its characters.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char byte) {
    return may_stay(byte) || kLayout.find(byte) != kLayout.npos;
  });
}

std::string written_out(std::string_view text, std::string_view kept,
                        std::string_view escape = "\\u") {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t bytes = std::max<std::size_t>(1, utf8_bytes(text));
    const std::string_view character = text.substr(0, bytes);
    const bool is_line_end = text.starts_with("\r\n") && kept == kLayout;
    if (utf8_bytes(text) == 0) {
      fmt::format_to(std::back_inserter(out), "{}{:04x}", escape,
                     static_cast<unsigned char>(character.front()));
    } else if (!is_line_end && kept.find(character.front()) == kept.npos && is_control(character)) {
      fmt::format_to(std::back_inserter(out), "{}{:04x}", escape,
                     static_cast<std::uint32_t>(code_point(character)));
    } else {
      out += character;
    }
    text.remove_prefix(bytes);
  }
  return out;
}

struct CharacterRange {
  char32_t first;
  char32_t last;
};

// Rising. Unicode's combining marks of the scripts that symbols are written in, and what has no
// width of its own.
constexpr CharacterRange kNoColumn[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A},  {0x064B, 0x065F},
    {0x0670, 0x0670}, {0x06D6, 0x06DC}, {0x0900, 0x0902}, {0x093C, 0x093C},  {0x0941, 0x0948},
    {0x094D, 0x094D}, {0x0E31, 0x0E31}, {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E},  {0x1AB0, 0x1AFF},
    {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x20D0, 0x20F0}, {0x302A, 0x302D},  {0x3099, 0x309A},
    {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF}};

// Rising. Unicode's East_Asian_Width W and F, neighbours joined.
constexpr CharacterRange kTwoColumns[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},
    {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267F, 0x267F},
    {0x26A1, 0x26A1},   {0x26BD, 0x26BE},   {0x2705, 0x2705},   {0x2728, 0x2728},
    {0x274C, 0x274C},   {0x2753, 0x2757},   {0x2795, 0x2797},   {0x2B1B, 0x2B1C},
    {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0xA4CF},
    {0xA960, 0xA97C},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE10, 0xFE19},
    {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},   {0x16FE0, 0x18AFF},
    {0x1B000, 0x1B2FF}, {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F200, 0x1F320},
    {0x1F32D, 0x1F5FF}, {0x1F600, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F7E0, 0x1F7EB},
    {0x1F90C, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD}};

bool is_in(std::span<const CharacterRange> ranges, char32_t character) {
  const auto after =
      std::upper_bound(ranges.begin(), ranges.end(), character,
                       [](char32_t c, const CharacterRange& range) { return c < range.first; });
  return after != ranges.begin() && character <= std::prev(after)->last;
}

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

std::size_t utf8_bytes(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = at(0);
  std::size_t bytes = 0;
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) bytes = 2;
  if (first >= 0xE0 && first <= 0xEF) bytes = 3;
  if (first >= 0xF0 && first <= 0xF4) bytes = 4;
  if (bytes == 0 || text.size() < bytes) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!is_follower(at(i))) return 0;
  }
  const bool is_overlong = (first == 0xE0 && at(1) < 0xA0) || (first == 0xF0 && at(1) < 0x90);
  const bool is_outside = (first == 0xED && at(1) > 0x9F) || (first == 0xF4 && at(1) > 0x8F);
  return is_overlong || is_outside ? 0 : bytes;
}

bool is_control(std::string_view character) {
  const std::uint32_t code = code_point(character);
  const auto within = [&](std::uint32_t first, std::uint32_t last) {
    return first <= code && code <= last;
  };
  return code < 0x20 || within(0x7F, 0x9F) || code == 0x061C || within(0x200E, 0x200F) ||
         within(0x2028, 0x202E) || within(0x2066, 0x2069);
}

std::string printable(std::string_view text) {
  return is_plain(text) ? std::string(text) : written_out(text, kLayout);
}

std::string printable_json(std::string_view json) {
  return is_plain(json) ? std::string(json) : written_out(json, kLayout, R"(\\u)");
}

std::string printable_line(std::string_view text) {
  return std::all_of(text.begin(), text.end(), may_stay) ? std::string(text)
                                                         : written_out(text, "");
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const std::size_t bytes = std::max<std::size_t>(1, utf8_bytes(text));
    const char32_t character = code_point(text.substr(0, bytes));
    if (bytes == 1 || !is_in(kNoColumn, character)) ++width;
    if (bytes > 1 && is_in(kTwoColumns, character)) ++width;
    text.remove_prefix(bytes);
  }
  return width;
}

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

std::string memory_text(std::uint64_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (bytes >= kMiB << 10) return fmt::format("{:.1f} GiB", size / (1 << 30));
  return bytes >= kMiB ? fmt::format("{:.4g} MiB", size / (1 << 20))
                       : fmt::format("{:.4g} KiB", size / 1024);
}

std::size_t json_depth(std::string_view text) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  bool is_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') is_string = !is_string;
    if (is_string) {
      if (c == '\\') ++at;
      continue;
    }
    if (c == '[' || c == '{') deepest = std::max(deepest, ++depth);
    if ((c == ']' || c == '}') && depth > 0) --depth;
  }
  return deepest;
}

}  // namespace hdbench
