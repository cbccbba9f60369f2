#include "engine/base/text_depth.h"

#include <algorithm>

namespace hdbench {

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
