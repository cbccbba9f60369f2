// Texts: what a terminal shows of them, which known word one is near to, how deep JSON is nested.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hdbench {

// How many bytes the UTF-8 character at the front takes (1 to 4); 0: it is none. Requires: not
// empty.
std::size_t utf8_bytes(std::string_view text);

// A control character (C0 and C1, DEL), a line or paragraph separator, or a bidirectional control
// (Unicode Standard Annex 9, "Directional Formatting Characters"). Requires: one UTF-8 character.
bool is_control(std::string_view character);

// Text for people: what a terminal or a page would act upon is written out instead.
//
// Names in a database, paths and strings of results are anybody's bytes. Control characters could
// move a terminal's cursor or change its title, bidirectional controls could show a name other than
// the one that is there. Both are written as \u001b, which is also JSON's own form, so JSON stays
// JSON. A byte that is no UTF-8 is written as \u00e9. Tabs and line ends (LF, CSV's CR LF) stay.
std::string printable(std::string_view text);

// For one line or one cell of a table: line ends and tabs are written out, too.
std::string printable_line(std::string_view text);

// For JSON whose strings a page shows: there they hold the writing, not the character.
std::string printable_json(std::string_view json);

// How many columns a text takes on a terminal. Wide East Asian characters and emoji take two,
// combining marks none, all others one, and so does a byte that is no UTF-8. Independent of the
// locale.
std::size_t display_width(std::string_view text);

// The known word with the fewest letters to insert, remove, replace or swap with their neighbours,
// or one that begins with `word`. Empty: none is near (at most a third of the letters differ).
std::string nearest_word(std::string_view word, const std::vector<std::string>& known);

// "; did you mean 'dram'?", or nothing where no known word is near: the end of an error.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

// "37.5 KiB", "512 MiB", "1.5 GiB": binary, as memory is sold.
std::string memory_text(std::uint64_t bytes);

// Far deeper than any document that hdbench writes or reads.
constexpr std::size_t kJsonDepthMax = 100;

// The deepest nesting of brackets and braces outside of strings in quotes: parsers recurse, and a
// text of brackets would take all of the stack. Of a text that is no JSON any number, but the right
// one of what a parser reads of it.
std::size_t json_depth(std::string_view text);

}  // namespace hdbench
