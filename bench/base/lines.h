// Lines of text for a reader.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hdbench::bench {

// Appends the line unless it is there.
void add_once(std::vector<std::string>& lines, const std::string& line);

// The text's parts between the marks, without the blanks around them: one where there is no mark.
std::vector<std::string> split_trimmed(std::string_view text, char mark);

// The text broken between words into lines of at most `width` bytes, longer words excepted; lines
// after the first begin with the indent, and the first begins `used` bytes in. Its line breaks
// stay.
std::string wrapped(std::string_view text, std::size_t width, std::string_view indent,
                    std::size_t used = 0);
// The same, with a newline at its end.
std::string folded(std::string_view text, std::size_t width, const std::string& indent);

// The text in at most `width` bytes; `mark` is put where it was cut: before the options of a device
// profile ("opt~+near=2GiB"), by which media of one profile differ, else at the end.
std::string cut_to(const std::string& text, std::size_t width, std::string_view mark);

// The text without blanks at its end, and a newline.
std::string line_of(std::string text);

// Lines of columns `gap` blanks apart, each as wide as its widest text on a terminal. The first
// `left` columns are flush left, the others flush right. A row may have fewer columns than the
// first.
using TextRows = std::vector<std::vector<std::string>>;
std::string aligned(const TextRows& rows, std::size_t left, std::size_t gap = 2);

}  // namespace hdbench::bench
