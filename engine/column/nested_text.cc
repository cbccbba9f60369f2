#include "engine/column/nested_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace hdbench {
namespace {

bool is_temporal(QType type) { return type >= QType::kTimestamp && type <= QType::kTime; }

// The letter behind a list that says its type where its items do not.
std::string_view list_suffix(QType type, std::string_view shown) {
  switch (type) {
    case QType::kBoolean: return "b";
    case QType::kShort: return "h";
    case QType::kInt: return "i";
    case QType::kReal: return "e";
    case QType::kMonth: return "m";
    case QType::kFloat: return shown.find_first_of(".ewn") == std::string_view::npos ? "f" : "";
    default: break;
  }
  static constexpr std::string_view kLetters = "pmdznuvt";  // from kTimestamp on
  if (!is_temporal(type) || shown.find_first_of(".:") != std::string_view::npos) return "";
  return kLetters.substr(static_cast<std::size_t>(type) - 12, 1);
}

std::string_view text_of(std::span<const std::byte> item) {
  return {reinterpret_cast<const char*>(item.data()), item.size()};
}

// A number or a time, its null and its infinities as q's literals.
void append_element(std::string& out, QType type, std::span<const std::byte> item, Digits digits) {
  const std::size_t begin = out.size();
  append_shown(out, type, static_cast<std::uint32_t>(item.size()), item.data(), nullptr, digits);
  if (out.size() == begin) out += type == QType::kFloat ? "0n" : "0N";
  if (out.back() == 'w' && type != QType::kFloat) out.back() = 'W';
}

void append_string(std::string& out, std::string_view text, std::size_t bytes_max) {
  out += '"';
  for (const char c : text) {
    if (out.size() > bytes_max) {
      out += "..";
      break;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

}  // namespace

void append_item(std::string& out, std::uint8_t kind, std::span<const std::byte> item) {
  if (kind == kSymbolsType) {
    out += text_of(item);
  } else {
    append_value(out, static_cast<QType>(kind), static_cast<std::uint32_t>(item.size()),
                 item.data(), nullptr);
  }
}

void append_literal(std::string& out, const NestedCell& cell, Digits digits,
                    std::size_t bytes_max) {
  const std::string_view text = text_of({cell.data, cell.bytes()});
  const auto type = static_cast<QType>(cell.kind);
  const bool symbols = cell.kind == kSymbolsType;
  if (cell.kind == kShownCell) {
    out += text;
    return;
  }
  const auto items = symbols ? std::count(text.begin(), text.end(), '\0') : cell.count;
  if (items == 1 && !cell.is_atom) out += ',';
  if (type == QType::kChar) return append_string(out, text, bytes_max);
  if (items == 0) {
    out += fmt::format("`{}$()", symbols ? "symbol" : type_name(type));
    return;
  }
  const bool is_joined = symbols || type == QType::kBoolean || type == QType::kByte;
  const std::size_t begin = out.size();
  if (type == QType::kByte) out += "0x";
  bool is_first = true;
  bool is_whole = true;
  each_item(cell, [&](std::span<const std::byte> item) {
    is_whole = out.size() <= bytes_max;
    if (!is_whole) return false;
    if (!is_first && !is_joined) out += ' ';
    is_first = false;
    if (symbols) {
      (out += '`') += text_of(item);
    } else {
      append_element(out, type, item, digits);
    }
    return true;
  });
  if (!symbols && is_whole) out += list_suffix(type, std::string_view(out).substr(begin));
  if (!is_whole) out += "..";
}

}  // namespace hdbench
