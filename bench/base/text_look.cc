#include "bench/base/text_look.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "engine/base/text.h"

namespace hdbench::bench {
namespace {

// Select Graphic Rendition (ECMA-48, 8.3.117); the eight colours that every terminal has.
const char* code_of(Tint tint) {
  switch (tint) {
    case Tint::kStrong: return "1";
    case Tint::kAlarm: return "1;31";
    case Tint::kReal: return "36";
    case Tint::kEmulated: return "33";
    case Tint::kSoft: return "2";
  }
  return "0";
}

// Of a sequence of tinted() at the front of the text; 0: there is none.
std::size_t colour_bytes(std::string_view text) {
  constexpr std::string_view kCodes[] = {"0", "1", "1;31", "2", "33", "36"};
  for (const std::string_view code : kCodes) {
    const std::string sequence = fmt::format("\x1b[{}m", code);
    if (text.starts_with(sequence)) return sequence.size();
  }
  return 0;
}

}  // namespace

std::string TextLook::tinted(std::string_view text, Tint tint) const {
  if (!has_colours) return std::string(text);
  std::string out;
  while (!text.empty()) {  // a pager keeps colours within a line
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) out += fmt::format("\x1b[{}m{}\x1b[0m", code_of(tint), text.substr(0, end));
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string printable_with_colours(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t colour = std::min(text.find("\x1b["), text.size());
    out += printable(text.substr(0, colour));
    text.remove_prefix(colour);
    const std::size_t bytes = colour_bytes(text);
    out += text.substr(0, bytes);
    text.remove_prefix(bytes);
    if (bytes != 0 || text.empty()) continue;
    out += printable(text.substr(0, 1));  // another escape sequence
    text.remove_prefix(1);
  }
  return out;
}

TextLook look_of(const TerminalFacts& facts, std::size_t usual) {
  if (!facts.is_terminal) return {usual, false};
  constexpr std::size_t kLeast = 60;
  constexpr std::size_t kMost = 200;
  const bool is_refused = facts.no_color != nullptr && *facts.no_color != '\0';
  const std::string_view term = facts.term == nullptr ? "dumb" : facts.term;
  return {std::clamp(facts.columns == 0 ? usual : facts.columns, kLeast, kMost),
          !is_refused && term != "dumb"};
}

TextLook output_look(std::size_t usual) {
  winsize size{};
  TerminalFacts facts{isatty(STDOUT_FILENO) == 1, 0, std::getenv("NO_COLOR"), std::getenv("TERM")};
  if (facts.is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
    facts.columns = size.ws_col;
  return look_of(facts, usual);
}

}  // namespace hdbench::bench
