// Lines that several callers may have for one reader.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace hdbench {

// Appends the line unless it is there.
inline void add_once(std::vector<std::string>& lines, const std::string& line) {
  if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
}

}  // namespace hdbench
