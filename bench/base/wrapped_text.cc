#include "bench/base/wrapped_text.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

namespace hdbench {

std::string wrapped_text(std::string_view text, std::size_t columns, std::size_t indent,
                         std::size_t used) {
  std::string wrapped;
  std::size_t length = used;
  bool at_begin = true;  // of a line: no word stands in it
  const auto break_line = [&] {
    wrapped += '\n' + std::string(indent, ' ');
    length = indent;
    at_begin = true;
  };
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\n') break_line();
    if (text[at] == '\n' || text[at] == ' ') {
      ++at;
      continue;
    }
    const std::string_view word = text.substr(at, text.find_first_of(" \n", at) - at);
    if (!at_begin && length + 1 + word.size() > columns) break_line();
    if (at_begin && length > indent && length + word.size() > columns) break_line();
    if (!at_begin) wrapped += ' ';
    length += word.size() + (at_begin ? 0 : 1);
    wrapped += word;
    at_begin = false;
    at += word.size();
  }
  return wrapped;
}

std::size_t output_columns() {
  constexpr std::size_t kUsual = 80;
  constexpr std::size_t kLeast = 40;
  winsize size = {};
  if (isatty(STDOUT_FILENO) != 1 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return kUsual;
  return size.ws_col == 0 ? kUsual : std::max<std::size_t>(size.ws_col, kLeast);
}

}  // namespace hdbench
