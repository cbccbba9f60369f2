// Text for people: what a terminal or a page would act upon is written out instead.
//
// Names in a database, paths and strings of results are anybody's bytes. Control characters could
// move a terminal's cursor or change its title, bidirectional controls could show a name other than
// the one that is there. Both are written as \u001b, which is also JSON's own form, so JSON stays
// JSON. A byte that is no UTF-8 is written as \u00e9.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hdbench {

// How many bytes the UTF-8 character at the front takes (1 to 4); 0: it is none. Requires: not
// empty.
std::size_t utf8_bytes(std::string_view text);

// Whether it is to be written out: a control character (C0 and C1, DEL), a line or paragraph
// separator, or a bidirectional control (Unicode Standard Annex 9, "Directional Formatting
// Characters"). Requires: one UTF-8 character.
bool is_control(std::string_view character);

// Line ends and tabs stay.
std::string printable(std::string_view text);

// For one line or one cell of a table: line ends and tabs are written out, too.
std::string printable_line(std::string_view text);

// For JSON whose strings a page shows: there they hold the writing, not the character.
std::string printable_json(std::string_view json);

}  // namespace hdbench
