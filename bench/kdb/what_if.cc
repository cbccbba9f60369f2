#include "bench/kdb/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "bench/base/lines.h"
#include "engine/column/memory_table.h"
#include "queries/lexer.h"

namespace hdbench::bench {
namespace {

Result<QType> type_of(char letter) {
  if (letter == 'C') return QType::kNested;  // a string a row
  for (std::size_t number = 1; number < std::size(kTypeFacts); ++number) {
    const auto type = static_cast<QType>(number);
    if (type_width(type) != 0 && type_letter(type) == letter) return type;
  }
  return usage_error(fmt::format("no type has the letter '{}'", letter));
}

Result<Attribute> attribute_of(std::string_view letter) {
  constexpr std::string_view kLetters = "supg";
  const std::size_t place = letter.size() == 1 ? kLetters.find(letter) : std::string_view::npos;
  if (place == std::string_view::npos)
    return usage_error(fmt::format("'{}' is no attribute, expected s, u, p or g", letter));
  return static_cast<Attribute>(place + 1);
}

Result<Field> field_of(std::string_view item, const std::shared_ptr<const Domain>& domain) {
  const std::vector<std::string> parts = split_trimmed(item, ':');
  if (parts.size() < 2 || parts.size() > 3 || parts[0].empty() || parts[1].size() != 1)
    return usage_error(fmt::format("'{}', expected NAME:TYPE such as price:f", item));
  HDB_ASSIGN(const QType type, type_of(parts[1][0]));
  Field field{parts[0], type, Attribute::kNone, type == QType::kSymbol ? domain : nullptr};
  if (parts.size() == 3) {
    HDB_ASSIGN(field.attribute, attribute_of(parts[2]));
  }
  return field;
}

Result<std::shared_ptr<const Domain>> domain_of(std::string_view query_text) {
  HDB_ASSIGN(const std::vector<queries::Token> tokens, queries::lex(query_text));
  std::vector<std::string> symbols;
  for (const queries::Token& token : tokens) {
    const bool is_new = std::find(symbols.begin(), symbols.end(), token.text) == symbols.end();
    if (token.kind == queries::TokenKind::kSymbol && is_new) symbols.push_back(token.text);
  }
  return make_domain("sym", std::move(symbols));
}

MemoryTable::Part empty_part(const Schema& schema) {
  MemoryTable::Part part;
  for (const Field& field : schema.fields) {
    Column column;
    column.type = field.type;
    column.width = type_width(field.type);
    column.domain = field.domain;
    part.columns.push_back(std::move(column));
  }
  return part;
}

}  // namespace

Result<std::shared_ptr<const Table>> what_if_table(std::string_view flag, std::string_view text,
                                                   bool is_partitioned,
                                                   std::string_view query_text) {
  HDB_ASSIGN(const std::shared_ptr<const Domain> domain, domain_of(query_text));
  Schema schema;
  schema.partitioned = is_partitioned;
  for (const std::string& item : split_trimmed(text, ',')) {
    Result<Field> field = field_of(item, domain);
    if (!field.ok()) return usage_error(fmt::format("{}: {}", flag, field.error().message));
    if (schema.find(field->name))
      return usage_error(fmt::format("{}: column {} is given twice", flag, field->name));
    schema.fields.push_back(std::move(*field));
  }
  constexpr std::string_view kPartitionTypes = "dmij";
  const Field& first = schema.fields.front();
  if (is_partitioned && kPartitionTypes.find(type_letter(first.type)) == std::string_view::npos) {
    return usage_error(
        fmt::format("{}: the first column is {}, expected the partition field, a "
                    "date, month, int or long",
                    flag, first.name));
  }
  std::vector<MemoryTable::Part> parts;
  if (!is_partitioned) parts.push_back(empty_part(schema));
  return std::shared_ptr<const Table>(
      std::make_shared<MemoryTable>("what-if", std::move(schema), std::move(parts)));
}

}  // namespace hdbench::bench
