#include "queries/query_params.h"

#include <utility>
#include <vector>

#include "queries/ascii.h"
#include "queries/lexer.h"
#include "queries/literal/literal_parser.h"
#include "queries/token_reader.h"

namespace hdbench::queries {
namespace {

std::string_view trimmed(std::string_view line) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t first = line.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(kBlank) - first + 1);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    if (!line.empty()) lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

Result<Literal> parse_param(std::string_view text) {
  HDB_ASSIGN(std::vector<Token> tokens, lex(text));
  TokenReader reader(std::move(tokens));
  if (!at_literal(reader)) return unexpected(reader.peek(), "a value");
  HDB_ASSIGN(Literal literal, parse_literal(reader));
  if (reader.peek().kind != TokenKind::kEnd) return unexpected(reader.peek(), "the value's end");
  return literal;
}

Result<Literal> parse_param_lines(std::string_view lines) {
  const std::vector<std::string_view> values = lines_of(lines);
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
