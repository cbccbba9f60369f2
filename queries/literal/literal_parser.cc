#include "queries/literal/literal_parser.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "queries/ascii.h"
#include "queries/literal/number_literal.h"
#include "queries/types.h"
namespace hdbench::queries {
namespace {

// Whether the cast before the next two tokens makes a literal: of strings, or of ().
bool at_literal_cast(const TokenReader& reader) {
  if (!reader.at_mark("$", 1)) return false;
  const Token& target = reader.peek();
  const bool is_symbol = target.kind == TokenKind::kSymbol && target.text.empty();
  const bool is_guid = target.kind == TokenKind::kString && target.text == "G";
  return is_symbol || is_guid || (reader.at_mark("(", 2) && reader.at_mark(")", 3));
}

Atom char_atom(char letter, std::size_t position) {
  return {QType::kChar, std::int64_t{static_cast<unsigned char>(letter)}, position};
}

Literal string_literal(const Token& token) {
  Literal literal{QType::kChar, token.text.size() != 1, {}, token.begin, token.end};
  for (const char letter : token.text) literal.atoms.push_back(char_atom(letter, token.begin));
  return literal;
}

// `a`b: symbols that touch.
Literal parse_symbols(TokenReader& reader) {
  const Token& first = reader.take();
  Literal literal{QType::kSymbol, false, {}, first.begin, first.end};
  literal.atoms.push_back({QType::kSymbol, first.text, first.begin});
  while (reader.peek().kind == TokenKind::kSymbol && reader.peek().begin == literal.end) {
    const Token& next = reader.take();
    literal.atoms.push_back({QType::kSymbol, next.text, next.begin});
    literal.end = next.end;
    literal.is_list = true;
  }
  return literal;
}

Result<Guid> read_guid(const Token& token) {
  const Error no_guid = text_error(
      fmt::format("\"{}\" is not a guid such as \"8c6b8b64-6815-6084-0a3e-178401251b68\"",
                  token.text),
      token.begin);
  constexpr std::array<std::size_t, 4> kDashes = {8, 13, 18, 23};
  if (token.text.size() != 36) return no_guid;
  Guid guid{};
  std::size_t digits = 0;
  for (std::size_t i = 0; i < token.text.size(); ++i) {
    const bool wants_dash = std::find(kDashes.begin(), kDashes.end(), i) != kDashes.end();
    if (wants_dash != (token.text[i] == '-')) return no_guid;
    if (wants_dash) continue;
    const int digit = hex_digit(token.text[i]);
    if (digit < 0) return no_guid;
    guid[digits / 2] = static_cast<std::uint8_t>(guid[digits / 2] * 16 + digit);
    ++digits;
  }
  return guid;
}

// "..." or ("...";"...").
struct Strings {
  std::vector<Token> tokens;
  bool is_list = false;
};

Result<Strings> parse_strings(TokenReader& reader) {
  Strings strings;
  strings.is_list = reader.accept_mark("(");
  while (true) {
    if (reader.peek().kind != TokenKind::kString) return unexpected(reader.peek(), "a string");
    strings.tokens.push_back(reader.take());
    if (!strings.is_list || reader.accept_mark(")")) return strings;
    if (!reader.accept_mark(";")) return unexpected(reader.peek(), "';' or ')'");
  }
}

// What is before `$`: "G" and ` cast strings, a type's name or letter casts ().
Result<Literal> parse_cast(TokenReader& reader) {
  const Token target = reader.take();
  reader.take();
  const bool is_guid = target.kind == TokenKind::kString && target.text == "G";
  const bool is_symbol = target.kind == TokenKind::kSymbol && target.text.empty();
  if (is_guid || is_symbol) {
    HDB_ASSIGN(const Strings strings, parse_strings(reader));
    Literal literal{is_guid ? QType::kGuid : QType::kSymbol,
                    strings.is_list,
                    {},
                    target.begin,
                    reader.previous_end()};
    for (const Token& token : strings.tokens) {
      Atom atom{literal.type, token.text, token.begin};
      if (is_guid) {
        HDB_ASSIGN(atom.value, read_guid(token));
      }
      literal.atoms.push_back(std::move(atom));
    }
    return literal;
  }
  const auto type = cast_type(target.text);
  reader.take();
  reader.take();
  if (type) return Literal{*type, true, {}, target.begin, reader.previous_end()};
  return text_error(fmt::format("no type is called {}", target.text), target.begin);
}

Result<Literal> parse_enlist(TokenReader& reader) {
  const Token enlist = reader.take();
  if (!at_literal(reader) || reader.at_name("enlist")) {
    return unexpected(reader.peek(), "an atom after enlist");
  }
  HDB_ASSIGN(Literal literal, parse_literal(reader));
  if (literal.is_list) {
    return text_error("enlist makes a list of one atom, and this is a list", literal.begin);
  }
  literal.is_list = true;
  literal.begin = enlist.begin;
  return literal;
}

bool is_number(QType type) {
  return type == QType::kBoolean || type == QType::kByte || type == QType::kShort ||
         type == QType::kInt || type == QType::kLong || type == QType::kReal ||
         type == QType::kFloat;
}

// Appends an element of (a;b;...) to the list.
Status append_element(Literal& list, Literal element) {
  if (element.is_list) {
    return text_error("a list in parentheses holds atoms only, and this is a list", element.begin);
  }
  const bool is_mixed = !list.atoms.empty() && list.type != element.type &&
                        !(is_number(list.type) && is_number(element.type));
  if (is_mixed) {
    return text_error(fmt::format("'type: a list has one type: this is {}, not {}",
                                  a_type(element.type), a_type(list.type)),
                      element.begin);
  }
  if (list.atoms.empty()) list.type = element.type;
  list.atoms.push_back(std::move(element.atoms.front()));
  return ok_status();
}

}  // namespace

std::optional<QType> cast_type(std::string_view name) {
  for (int number = 1; number <= static_cast<int>(QType::kSymbol); ++number) {
    const auto type = static_cast<QType>(number);
    const bool is_type = is_plain_type(number) || type == QType::kSymbol;
    const char letter = is_type ? type_letter(type) : ' ';
    if (is_type && (name == type_name(type) || name == std::string_view(&letter, 1))) return type;
  }
  return std::nullopt;
}

bool at_literal(const TokenReader& reader) {
  const TokenKind kind = reader.peek().kind;
  return kind == TokenKind::kNumber || kind == TokenKind::kSymbol || kind == TokenKind::kString ||
         reader.at_name("enlist");
}

Result<Literal> parse_literal(TokenReader& reader) {
  if (reader.at_name("enlist")) return parse_enlist(reader);
  if (reader.peek().kind == TokenKind::kNumber) {
    std::vector<Token> words;
    while (reader.peek().kind == TokenKind::kNumber) words.push_back(reader.take());
    return read_numbers(words);
  }
  if (at_literal_cast(reader)) return parse_cast(reader);
  if (reader.peek().kind == TokenKind::kString) return string_literal(reader.take());
  return parse_symbols(reader);
}

Result<Literal> make_list(std::vector<Literal> elements, std::size_t begin, std::size_t end) {
  Literal list;
  list.is_list = true;
  list.begin = begin;
  list.end = end;
  for (Literal& element : elements) HDB_TRY(append_element(list, std::move(element)));
  return list;
}

Result<Literal> parse_param(std::string_view text) {
  HDB_ASSIGN(std::vector<Token> tokens, lex(text));
  TokenReader reader(std::move(tokens));
  if (!at_literal(reader)) return unexpected(reader.peek(), "a value");
  HDB_ASSIGN(Literal literal, parse_literal(reader));
  if (reader.peek().kind != TokenKind::kEnd) return unexpected(reader.peek(), "the value's end");
  return literal;
}

Result<Literal> parse_param_lines(std::string_view lines) {
  std::vector<std::string_view> values;
  for (const std::string_view line : lines_of(lines)) {
    if (!trim(line).empty()) values.push_back(trim(line));
  }
  if (values.empty()) return usage_error("it has no line");
  Literal list{QType::kSymbol, true, {}, 0, 0};
  for (const std::string_view value : values) {
    const Result<Literal> one = parse_param(value);
    const bool is_one = one.ok() && !one->is_list && one->type != QType::kSymbol &&
                        (list.atoms.empty() || list.type == one->type);
    if (!is_one) {
      list.atoms.clear();
      break;
    }
    list.type = one->type;
    list.atoms.push_back(one->atoms.front());
  }
  if (!list.atoms.empty()) return list;
  list.type = QType::kSymbol;
  for (std::string_view value : values) {
    if (value.front() == '`') value.remove_prefix(1);
    list.atoms.push_back({QType::kSymbol, std::string(value), 0});
  }
  return list;
}

}  // namespace hdbench::queries
