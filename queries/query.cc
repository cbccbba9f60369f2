#include "queries/query.h"

#include <algorithm>
#include <string>
#include <utility>

#include "queries/query_binder.h"
#include "queries/query_parser.h"
#include "queries/syntax.h"

namespace hdbench::queries {
namespace {

using NamedTables = std::vector<Query::NamedTable>;

void add_tables(const ParsedQuery& query, NamedTables& tables);

void add_tables(const TableSyntax& syntax, NamedTables& tables) {
  if (syntax.kind == TableKind::kQuery) return add_tables(*syntax.query, tables);
  for (const TableSyntax& part : syntax.of) add_tables(part, tables);
  if (syntax.kind != TableKind::kName) return;
  const auto is_same = [&](const auto& one) { return one.name == syntax.name.text; };
  if (std::none_of(tables.begin(), tables.end(), is_same))
    tables.push_back({syntax.name.text, syntax.name.position});
}

void add_tables(const Syntax& syntax, NamedTables& tables) {
  if (syntax.query != nullptr) add_tables(*syntax.query, tables);
  for (const Syntax& argument : syntax.arguments) add_tables(argument, tables);
}

void add_tables(const ParsedQuery& query, NamedTables& tables) {
  add_tables(query.table, tables);
  for (const ParsedItem& item : query.columns) add_tables(item.expression, tables);
  for (const ParsedItem& item : query.by) add_tables(item.expression, tables);
  for (const Syntax& condition : query.where) add_tables(condition, tables);
}

}  // namespace

Query::Query(std::shared_ptr<const ParsedQuery> parsed, QueryParams params)
    : parsed_(std::move(parsed)), params_(std::move(params)) {
  add_tables(*parsed_, tables_);
}

Result<Query> Query::parse(std::string_view text, QueryParams params) {
  HDB_ASSIGN(ParsedQuery parsed, parse_query(text));
  return Query(std::make_shared<const ParsedQuery>(std::move(parsed)), std::move(params));
}

const std::string& Query::text() const { return parsed_->text; }

void Query::use_tables(std::vector<std::string> names) {
  if (tables_.empty() && !names.empty()) tables_.push_back({names.front(), 0});
  known_ = std::move(names);
}

Result<Plan> Query::bind(const FindTable& find, Unreadable unreadable) const {
  HDB_ASSIGN(const PlanSide side,
             bind_query(*parsed_, {parsed_->text, find, unreadable, &params_, &known_}));
  return *side.plan;
}

Result<Plan> Query::bind(const Table& table, Unreadable unreadable) const {
  return bind([&](const std::string&) -> Result<const Table*> { return &table; }, unreadable);
}

}  // namespace hdbench::queries
