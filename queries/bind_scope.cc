#include "queries/bind_scope.h"

#include <fmt/format.h>

namespace hdbench::queries {
namespace {

constexpr std::size_t kNamesShownMax = 20;

std::string list_names(const Schema& schema) {
  std::string names;
  for (std::size_t i = 0; i < schema.own_fields(); ++i) {
    if (i == kNamesShownMax) {
      return names + fmt::format(" and {} more", schema.own_fields() - kNamesShownMax);
    }
    names += (i == 0 ? "" : " ") + schema.fields[i].name;
  }
  return names;
}

std::vector<PhraseItem> items_of(const std::vector<ParsedItem>& parsed) {
  std::vector<PhraseItem> items;
  for (const ParsedItem& item : parsed) items.push_back({item.alias, &item.expression});
  return items;
}

}  // namespace

Phrases::Phrases(const Query& parsed)
    : query(parsed), columns(items_of(parsed.columns)), by(items_of(parsed.by)) {
  for (const Syntax& condition : parsed.where) where.push_back(&condition);
}

const std::string* BindScope::name_of(const Syntax& syntax) const {
  if (made != nullptr) {
    const auto found = made->find(&syntax);
    if (found != made->end()) return &found->second;
  }
  return syntax.kind == SyntaxKind::kName ? &syntax.text : nullptr;
}

bool BindScope::is_literal(const Syntax& syntax) const {
  // A key that is a literal becomes a column.
  if (made != nullptr && made->contains(&syntax)) return false;
  if (syntax.kind == SyntaxKind::kLiteral) return true;
  const QueryParams& params = context.tables.params;
  if (params.empty()) return false;
  const std::string* name = name_of(syntax);
  return name != nullptr && params.contains(*name) && !table.schema().find(*name);
}

Literal BindScope::literal_of(const Syntax& syntax) const {
  if (syntax.kind == SyntaxKind::kLiteral) return syntax.literal;
  Literal literal = context.tables.params.find(syntax.text)->second;
  literal.begin = syntax.begin;
  literal.end = syntax.end;
  for (Atom& atom : literal.atoms) atom.position = syntax.begin;
  return literal;
}

Result<std::size_t> find_column(const Table& table, const Name& name, Unreadable unreadable) {
  const std::vector<Field>& fields = table.schema().fields;
  auto found = table.schema().find(name.text);
  if (!found) {
    // What a link points to is not known where the link cannot be read.
    found = table.schema().find(name.text.substr(0, name.text.find('.')));
    if (found && !fields[*found].unreadable) found.reset();
  }
  if (found) {
    if (unreadable == Unreadable::kNamed || !fields[*found].unreadable) return *found;
    return *fields[*found].unreadable;
  }
  return text_error(fmt::format("{} has no column '{}', its columns are: {}", table.name(),
                                name.text, list_names(table.schema())),
                    name.position);
}

Result<std::optional<std::size_t>> bare_column(const Syntax& syntax, const BindScope& scope) {
  const std::string* const name = scope.name_of(syntax);
  if (name == nullptr || !scope.table.schema().find(*name)) return std::optional<std::size_t>();
  HDB_ASSIGN(const std::size_t field, find_column(scope.table, {*name, syntax.position}));
  return std::optional<std::size_t>(field);
}

std::optional<std::size_t> unreadable_field(const Syntax& syntax, const BindScope& scope) {
  if (!scope.names_unreadable()) return std::nullopt;
  if (const std::string* const name = scope.name_of(syntax)) {
    const auto field = find_column(scope.table, {*name, syntax.position}, Unreadable::kNamed);
    const bool is_one = field.ok() && scope.table.schema().fields[*field].unreadable;
    return is_one ? std::optional<std::size_t>(*field) : std::nullopt;
  }
  for (const Syntax& argument : syntax.arguments) {
    if (const auto field = unreadable_field(argument, scope)) return field;
  }
  return std::nullopt;
}

}  // namespace hdbench::queries
