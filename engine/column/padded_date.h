// Dates that are written with too few digits, for messages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hdbench {

// 2020.1.8 as 2020.01.08, 2020.1 as 2020.01; nothing where months and days have two digits, or
// where the text is no such word. Whether the calendar has the day is not asked.
inline std::optional<std::string> padded_date(std::string_view text) {
  std::string padded;
  std::size_t fields = 0;
  for (std::size_t begin = 0; begin <= text.size(); ++fields) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    const std::string_view field = text.substr(begin, end - begin);
    const bool is_number = field.find_first_not_of("0123456789") == field.npos;
    const std::size_t digits = fields == 0 ? 4 : 2;
    const std::size_t digits_min = fields == 0 ? 4 : 1;
    if (!is_number || field.size() < digits_min || field.size() > digits) return std::nullopt;
    if (fields > 0) padded += '.';
    padded += std::string(digits - field.size(), '0');
    padded += field;
    begin = end + 1;
  }
  if (fields < 2 || fields > 3 || padded == text) return std::nullopt;
  return padded;
}

}  // namespace hdbench
