// How text is shown where standard output goes: the width of its lines, and colours on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hdbench::bench {

enum class Tint { kStrong, kAlarm, kReal, kEmulated, kSoft };

struct TextLook {
  std::size_t columns = 100;
  bool has_colours = false;

  // The text, in one line or several, in this tint. Its bytes no longer count columns.
  std::string tinted(std::string_view text, Tint tint) const;
};

// The text, printable (engine/base/text.h), with the colours that tinted() gives.
std::string printable_with_colours(std::string_view text);

// A terminal, as look_of() wants it. Null: a variable that is not set.
struct TerminalFacts {
  bool is_terminal = false;
  std::size_t columns = 0;  // 0: not known
  const char* no_color = nullptr;
  const char* term = nullptr;
};

// On a terminal its width, 60 to 200, and colours unless NO_COLOR says otherwise
// (https://no-color.org) or it is a dumb one; elsewhere `usual` columns.
TextLook look_of(const TerminalFacts& facts, std::size_t usual);

// Of standard output.
TextLook output_look(std::size_t usual);

}  // namespace hdbench::bench
