#include "engine/base/display_width.h"

#include <algorithm>
#include <iterator>

#include "engine/base/printable_text.h"

namespace hdbench {
namespace {

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

template <std::size_t N>
bool is_in(const CharacterRange (&ranges)[N], char32_t character) {
  const auto after =
      std::upper_bound(std::begin(ranges), std::end(ranges), character,
                       [](char32_t c, const CharacterRange& range) { return c < range.first; });
  return after != std::begin(ranges) && character <= std::prev(after)->last;
}

// Requires: one UTF-8 character.
char32_t decoded(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  char32_t code = character.size() == 1 ? lead : lead & (0x7FU >> character.size());
  for (const char c : character.substr(1))
    code = code << 6 | (static_cast<unsigned char>(c) & 0x3FU);
  return code;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const std::size_t bytes = std::max<std::size_t>(1, utf8_bytes(text));
    const char32_t character = decoded(text.substr(0, bytes));
    if (bytes == 1 || !is_in(kNoColumn, character)) ++width;
    if (bytes > 1 && is_in(kTwoColumns, character)) ++width;
    text.remove_prefix(bytes);
  }
  return width;
}

}  // namespace hdbench
