#include "engine/base/printable_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace hdbench {
namespace {

bool is_follower(unsigned char byte) { return (byte & 0xC0) == 0x80; }

// Requires: as many bytes as utf8_bytes() gives.
std::uint32_t code_point(std::string_view character) {
  const auto first = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return first;
  std::uint32_t code = first & (0x7Fu >> character.size());
  for (const char byte : character.substr(1)) {
    code = code << 6 | (static_cast<unsigned char>(byte) & 0x3Fu);
  }
  return code;
}

bool may_stay(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return value >= ' ' && value < 0x7F;
}

constexpr std::string_view kLayout = "\n\t";

// Most text, which is copied without a look at its characters.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char byte) {
    return may_stay(byte) || kLayout.find(byte) != kLayout.npos;
  });
}

std::string written_out(std::string_view text, std::string_view kept,
                        std::string_view escape = "\\u") {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t bytes = std::max<std::size_t>(1, utf8_bytes(text));
    const std::string_view character = text.substr(0, bytes);
    if (utf8_bytes(text) == 0) {
      fmt::format_to(std::back_inserter(out), "{}{:04x}", escape,
                     static_cast<unsigned char>(character.front()));
    } else if (kept.find(character.front()) == kept.npos && is_control(character)) {
      fmt::format_to(std::back_inserter(out), "{}{:04x}", escape, code_point(character));
    } else {
      out += character;
    }
    text.remove_prefix(bytes);
  }
  return out;
}

}  // namespace

std::size_t utf8_bytes(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = at(0);
  std::size_t bytes = 0;
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) bytes = 2;
  if (first >= 0xE0 && first <= 0xEF) bytes = 3;
  if (first >= 0xF0 && first <= 0xF4) bytes = 4;
  if (bytes == 0 || text.size() < bytes) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!is_follower(at(i))) return 0;
  }
  const bool is_overlong = (first == 0xE0 && at(1) < 0xA0) || (first == 0xF0 && at(1) < 0x90);
  const bool is_outside = (first == 0xED && at(1) > 0x9F) || (first == 0xF4 && at(1) > 0x8F);
  return is_overlong || is_outside ? 0 : bytes;
}

bool is_control(std::string_view character) {
  const std::uint32_t code = code_point(character);
  const auto within = [&](std::uint32_t first, std::uint32_t last) {
    return first <= code && code <= last;
  };
  return code < 0x20 || within(0x7F, 0x9F) || code == 0x061C || within(0x200E, 0x200F) ||
         within(0x2028, 0x202E) || within(0x2066, 0x2069);
}

std::string printable(std::string_view text) {
  return is_plain(text) ? std::string(text) : written_out(text, kLayout);
}

std::string printable_json(std::string_view json) {
  return is_plain(json) ? std::string(json) : written_out(json, kLayout, R"(\\u)");
}

std::string printable_line(std::string_view text) {
  return std::all_of(text.begin(), text.end(), may_stay) ? std::string(text)
                                                         : written_out(text, "");
}

}  // namespace hdbench
