#include "queries/query.h"

#include <string>
#include <utility>

#include "queries/column_binder.h"
#include "queries/condition_binder.h"
#include "queries/query_parser.h"
#include "queries/syntax.h"

namespace hdbench {
namespace {

// Of what is parsed, what a plan does not carry yet.
Status check_shape(const ParsedQuery& query) {
  const auto not_yet = [](const std::string& what, std::size_t position) {
    return text_error("not supported yet: " + what, position);
  };
  if (query.sort.position) {
    return not_yet(query.sort.descending ? "xdesc" : "xasc", *query.sort.position);
  }
  if (query.limit.position) {
    return not_yet("select[...], the whole result is returned", *query.limit.position);
  }
  if (query.distinct) return not_yet("distinct", *query.distinct);
  return ok_status();
}

}  // namespace

Query::Query(std::shared_ptr<const ParsedQuery> parsed) : parsed_(std::move(parsed)) {}

Result<Query> Query::parse(std::string_view text) {
  HDB_ASSIGN(ParsedQuery parsed, parse_query(text));
  HDB_TRY(check_shape(parsed));
  return Query(std::make_shared<const ParsedQuery>(std::move(parsed)));
}

const std::string& Query::text() const { return parsed_->text; }

const std::string& Query::table_name() const { return parsed_->table.text; }

std::size_t Query::table_position() const { return parsed_->table.position; }

Result<Plan> Query::bind(const Table& table, Unreadable unreadable) const {
  Plan plan;
  const BindScope scope{parsed_->text, table, unreadable};
  HDB_TRY(bind_columns(*parsed_, scope, plan));
  for (const Syntax& syntax : parsed_->where) {
    HDB_ASSIGN(Condition condition, bind_condition(syntax, scope, plan));
    plan.where.push_back(std::move(condition));
  }
  return plan;
}

}  // namespace hdbench
