// Text broken into lines between its words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hdbench {

// Lines of at most `columns` bytes, each but the first after `indent` blanks; no word is cut: one
// that is longer stands alone. The first line begins `used` bytes in. Line breaks in `text` stay.
std::string wrapped_text(std::string_view text, std::size_t columns, std::size_t indent,
                         std::size_t used = 0);

// The width of the terminal that standard output is, 40 at least; 80 where it is none.
std::size_t output_columns();

}  // namespace hdbench
