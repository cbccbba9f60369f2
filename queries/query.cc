#include "queries/query.h"

#include <utility>

#include "queries/column_binder.h"
#include "queries/condition_binder.h"
#include "queries/query_parser.h"
#include "queries/syntax.h"

namespace hdbench {

Query::Query(std::shared_ptr<const ParsedQuery> parsed) : parsed_(std::move(parsed)) {}

Result<Query> Query::parse(std::string_view text) {
  HDB_ASSIGN(ParsedQuery parsed, parse_query(text));
  return Query(std::make_shared<const ParsedQuery>(std::move(parsed)));
}

const std::string& Query::text() const { return parsed_->text; }

const std::string& Query::table_name() const { return parsed_->table.text; }

std::size_t Query::table_position() const { return parsed_->table.position; }

Result<Plan> Query::bind(const Table& table, Unreadable unreadable) const {
  Plan plan;
  HDB_TRY(bind_columns(*parsed_, table, unreadable, plan));
  for (const ParsedCondition& parsed : parsed_->where) {
    HDB_ASSIGN(Condition condition, bind_condition(parsed, parsed_->text, table, unreadable));
    plan.where.push_back(std::move(condition));
  }
  return plan;
}

}  // namespace hdbench
