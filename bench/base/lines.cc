#include "bench/base/lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"
#include "queries/ascii.h"

namespace hdbench::bench {

void add_once(std::vector<std::string>& lines, const std::string& line) {
  if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
}

std::vector<std::string> split_trimmed(std::string_view text, char mark) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(mark);
    parts.emplace_back(queries::trim(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string wrapped(std::string_view text, std::size_t width, std::string_view indent,
                    std::size_t used) {
  std::string out;
  std::size_t column = used;
  bool at_begin = true;  // of a line: no word yet
  const auto break_line = [&] {
    out += '\n';
    out += indent;
    column = indent.size();
    at_begin = true;
  };
  while (!text.empty()) {
    if (text.front() == '\n') break_line();
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    if (end > 0) {
      const std::size_t gap = at_begin ? 0 : 1;
      const bool may_break = !at_begin || column > indent.size();
      if (may_break && column + gap + end > width) break_line();
      if (!at_begin) out += ' ';
      column += end + (at_begin ? 0 : 1);
      out += text.substr(0, end);
      at_begin = false;
    }
    const bool is_blank = end == 0 || (end < text.size() && text[end] == ' ');
    text.remove_prefix(end + (is_blank ? 1 : 0));
  }
  return out;
}

std::string folded(std::string_view text, std::size_t width, const std::string& indent) {
  return wrapped(text, width, indent) + "\n";
}

std::string cut_to(const std::string& text, std::size_t width, std::string_view mark) {
  if (text.size() <= width) return text;
  const std::string options = text.substr(std::min(text.find('+'), text.size()));
  const std::size_t kept = options.size() + mark.size() < width ? options.size() : 0;
  return fmt::format("{}{}{}", text.substr(0, width - mark.size() - kept), mark,
                     text.substr(text.size() - kept));
}

std::string line_of(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string aligned(const TextRows& rows, std::size_t left, std::size_t gap) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], display_width(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - display_width(row[i]), ' ');
      line.append(i == 0 ? 0 : gap, ' ');
      line += i < left ? row[i] + padding : padding + row[i];
    }
    text += line_of(line);
  }
  return text;
}

}  // namespace hdbench::bench
