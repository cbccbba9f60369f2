// How wide a text is on a terminal, in columns.
#pragma once

#include <cstddef>
#include <string_view>

namespace hdbench {

// Wide East Asian characters and emoji take two columns, combining marks none, all others one, and
// so does a byte that is no UTF-8. Independent of the locale.
std::size_t display_width(std::string_view text);

}  // namespace hdbench
