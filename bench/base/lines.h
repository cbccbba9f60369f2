// Lines of text for a reader.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hdbench {

// Appends the line unless it is there.
void add_once(std::vector<std::string>& lines, const std::string& line);

// The text broken at blanks into lines of at most `width` bytes, longer words excepted; lines after
// the first begin with the indent. Ends in a newline.
std::string folded(std::string_view text, std::size_t width, const std::string& indent);

}  // namespace hdbench
