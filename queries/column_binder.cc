#include "queries/column_binder.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "engine/operator/aggregator.h"
#include "queries/column_lookup.h"
#include "queries/type_text.h"
namespace hdbench {
namespace {

std::string_view aggregate_text(Aggregate aggregate) {
  switch (aggregate) {
    case Aggregate::kNone: break;
    case Aggregate::kCount: return "count";
    case Aggregate::kSum: return "sum";
    case Aggregate::kAvg: return "avg";
    case Aggregate::kMin: return "min";
    case Aggregate::kMax: return "max";
    case Aggregate::kFirst: return "first";
    case Aggregate::kLast: return "last";
    case Aggregate::kWavg: return "wavg";
    case Aggregate::kDev: return "dev";
    case Aggregate::kMed: return "med";
    default: break;
  }
  return "";
}

class Binder {
 public:
  Binder(const ParsedQuery& query, const Table& table, Plan& plan)
      : query_(query), table_(table), plan_(plan) {}

  Status run() {
    plan_.is_exec = query_.is_exec;
    HDB_TRY(bind_keys());
    HDB_TRY(check_form());
    if (query_.columns.empty()) return all_columns();
    HDB_TRY(take_aliases());
    for (const ColumnItem& item : query_.columns) HDB_TRY(bind_output(item));
    return ok_status();
  }

 private:
  Status bind_keys() {
    for (const ByItem& item : query_.by) {
      HDB_ASSIGN(const std::size_t field, find_column(table_, item.column));
      Name name = item.alias ? *item.alias : item.column;
      if (!item.alias) name.text = result_name(table_.schema().fields[field]);
      HDB_TRY(take_name(name));
      plan_.by.push_back({name.text, field});
    }
    return ok_status();
  }

  // Aggregates and plain columns never mix, and `by` needs aggregates where columns are named.
  Status check_form() const {
    const auto is_plain = [](const ColumnItem& item) { return item.aggregate == Aggregate::kNone; };
    const auto plain = std::find_if(query_.columns.begin(), query_.columns.end(), is_plain);
    if (plain == query_.columns.end()) return ok_status();
    if (!query_.by.empty()) {
      return text_error(fmt::format("'{}' needs an aggregate in a query with by: lists in a result "
                                    "are not supported",
                                    plain->column->text),
                        plain->position);
    }
    if (std::all_of(query_.columns.begin(), query_.columns.end(), is_plain)) return ok_status();
    return text_error(fmt::format("'{}' has no aggregate and others have: mixing them is not "
                                  "supported",
                                  plain->column->text),
                      plain->position);
  }

  // All columns: with by, all that are no key.
  Status all_columns() {
    plan_.last_rows = !plan_.by.empty();
    for (std::size_t field = 0; field < table_.schema().own_fields(); ++field) {
      const auto is_key = [&](const GroupKey& key) { return key.field == field; };
      if (std::any_of(plan_.by.begin(), plan_.by.end(), is_key)) continue;
      const Field& shown = table_.schema().fields[field];
      if (shown.unreadable) return *shown.unreadable;
      const std::string& name = shown.name;
      if (!names_.insert(name).second) {
        return text_error(fmt::format("'dup: the key '{}' has the name of another column", name),
                          query_.by.front().column.position);
      }
      plan_.outputs.push_back({name, Aggregate::kNone, field, std::nullopt});
    }
    return ok_status();
  }

  // Names that the text gives come before those that are made.
  Status take_aliases() {
    for (const ColumnItem& item : query_.columns) {
      if (item.alias) HDB_TRY(take_name(*item.alias));
    }
    return ok_status();
  }

  Status take_name(const Name& name) {
    if (names_.insert(name.text).second) return ok_status();
    return text_error(fmt::format("'dup: the result has a column '{}' already", name.text),
                      name.position);
  }

  std::string make_name(const std::string& base) {
    std::string name = base;
    for (int i = 1; !names_.insert(name).second; ++i) name = base + std::to_string(i);
    return name;
  }

  Status bind_output(const ColumnItem& item) {
    Output output;
    output.aggregate = item.aggregate;
    if (item.weights) {
      HDB_ASSIGN(output.weights, find_fitting(*item.weights, item.aggregate));
    }
    if (item.column) {
      HDB_ASSIGN(output.field, find_fitting(*item.column, item.aggregate));
    }
    output.name = item.alias    ? item.alias->text
                  : item.column ? make_name(result_name(table_.schema().fields[*output.field]))
                                : make_name("x");
    plan_.outputs.push_back(std::move(output));
    return ok_status();
  }

  Result<std::size_t> find_fitting(const Name& name, Aggregate aggregate) const {
    HDB_ASSIGN(const std::size_t field, find_column(table_, name));
    if (aggregate_takes(aggregate, field_type(field))) return field;
    return text_error(fmt::format("'type: {} of column {}, which is {}", aggregate_text(aggregate),
                                  name.text, a_type(field_type(field))),
                      name.position);
  }

  QType field_type(std::size_t field) const { return table_.schema().fields[field].type; }

  const ParsedQuery& query_;
  const Table& table_;
  Plan& plan_;
  std::set<std::string> names_;  // of the result's columns so far
};

}  // namespace

Status bind_columns(const ParsedQuery& query, const Table& table, Plan& plan) {
  return Binder(query, table, plan).run();
}

}  // namespace hdbench
