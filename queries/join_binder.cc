#include "queries/join_binder.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/column/memory_table.h"
#include "engine/operator/aggregator.h"
#include "engine/shaping/result_schema.h"
#include "queries/expression/aggregate_binder.h"
#include "queries/expression/expression_binder.h"
#include "queries/expression/functions.h"
#include "queries/types.h"

namespace hdbench::queries {
namespace {

Result<std::size_t> find_in(const Schema& schema, const Name& name, const std::string& where) {
  return find_column(PlannedTable(where, schema), name);
}

// A name that no column of a text has.
std::string right_name(const std::string& name) { return name + " @right"; }

std::string a_type_of(const Field& field) {
  return field.items ? fmt::format("lists of {}s", type_name(*field.items))
                     : std::string(a_type(field.type));
}

Syntax name_syntax(const std::string& name, std::size_t position) {
  return {SyntaxKind::kName, name, position, {}, {}, position, position};
}

class JoinBinder {
 public:
  JoinBinder(const TableSyntax& syntax, const BindContext& context)
      : syntax_(syntax), context_(context), word_(syntax.name.text) {}

  Result<RowBase> run() {
    HDB_ASSIGN(source_.left, bind_side(syntax_.of[0], context_));
    HDB_ASSIGN(source_.right, bind_side(syntax_.of[1], context_));
    const std::size_t keys = key_count(*source_.left.plan);
    HDB_TRY(bind_keys());
    HDB_TRY(word_ == "wj" || word_ == "wj1" ? add_windows() : add_columns());
    HDB_ASSIGN(RowBase base, combined(make_base(std::move(source_), result_name())));
    base.keys = keys;
    return base;
  }

 private:
  const Schema& left() const { return source_.left.rows; }
  const Schema& right() const { return source_.right.rows; }
  std::string result_name() const { return fmt::format("the result of {}", word_); }
  bool is_as_of() const { return word_.starts_with("aj"); }
  bool is_window() const { return word_.starts_with("wj"); }
  // Whether both sides' values make a column: pj adds them, ajf fills the left one's gaps.
  bool combines() const { return word_ == "pj" || word_.starts_with("ajf"); }

  Status bind_keys() {
    source_.kind = is_window()            ? SourceKind::kBetween
                   : word_ == "ej"        ? SourceKind::kEach
                   : word_.ends_with("0") ? SourceKind::kAsOfTimes
                   : is_as_of()           ? SourceKind::kAsOf
                   : word_ == "ij"        ? SourceKind::kInner
                                          : SourceKind::kLeft;
    std::vector<Name> keys = syntax_.keys;
    if (keys.empty()) {
      const std::size_t count = key_count(*source_.right.plan);
      if (count == 0) {
        return text_error(fmt::format("'type: {} needs a keyed table on its right, such as select "
                                      "... by ..., or `column xkey a table",
                                      word_),
                          syntax_.name.position);
      }
      for (std::size_t k = 0; k < count; ++k)
        keys.push_back({right().fields[k].name, syntax_.name.position});
    }
    for (const Name& key : keys) HDB_TRY(bind_key(key));
    return is_as_of() || is_window() ? check_last_key(keys.back()) : ok_status();
  }

  Status bind_key(const Name& key) {
    HDB_ASSIGN(const std::size_t in_left,
               find_in(left(), key, fmt::format("the left side of {}", word_)));
    HDB_ASSIGN(const std::size_t in_right,
               find_in(right(), key, fmt::format("the right side of {}", word_)));
    const QType left_type = left().fields[in_left].type;
    const QType right_type = right().fields[in_right].type;
    if (left_type != right_type || left_type == QType::kNested) {
      return text_error(fmt::format("'type: {} of {}, which is {} on the left and {} on the right",
                                    word_, key.text, a_type(left_type), a_type(right_type)),
                        key.position);
    }
    source_.left_keys.push_back(in_left);
    source_.right_keys.push_back(in_right);
    return ok_status();
  }

  // Rows are taken in the order of the last key: codes of symbols are in none, and halves of guids.
  Status check_last_key(const Name& key) const {
    const QType type = left().fields[source_.left_keys.back()].type;
    if (type != QType::kSymbol && type != QType::kGuid) return ok_status();
    return text_error(fmt::format("'type: {} by {}, which is {}: its last column is one that rows "
                                  "are in the order of, such as a time",
                                  word_, key.text, a_type(type)),
                      key.position);
  }

  bool is_right_key(std::size_t column) const {
    const auto& keys = source_.right_keys;
    return std::find(keys.begin(), keys.end(), column) != keys.end();
  }

  // The left columns, those of the right side in the place of their namesakes, then its others.
  Status add_columns() {
    for (std::size_t column = 0; column < left().fields.size(); ++column) {
      const std::string& name = left().fields[column].name;
      SourceColumn shown{name, false, column};
      const auto found = right().find(name);
      const bool is_time =
          found && source_.kind == SourceKind::kAsOfTimes && *found == source_.right_keys.back();
      const bool is_beside = found && !is_time && !is_right_key(*found) && combines();
      if (found && (is_time || !is_right_key(*found)) && !is_beside) {
        shown = {name, true, *found};
        const bool keeps = source_.kind != SourceKind::kInner && source_.kind != SourceKind::kEach;
        if (keeps) HDB_TRY(keep_left(column, shown));
      }
      source_.columns.push_back(shown);
      if (is_beside) beside_.push_back({right_name(name), true, *found});
    }
    for (std::size_t column = 0; column < right().fields.size(); ++column) {
      const std::string& name = right().fields[column].name;
      if (!is_right_key(column) && !left().find(name))
        source_.columns.push_back({name, true, column});
    }
    source_.columns.insert(source_.columns.end(), beside_.begin(), beside_.end());
    return ok_status();
  }

  // Columns of both sides as one: pj's sums, in which a null of the right side counts nothing, and
  // what fills the left side's gaps for ajf.
  Result<RowBase> combined(RowBase base) const {
    if (!combines()) return base;
    const std::size_t place = syntax_.name.position;
    const Table& table = base.table();
    const BindScope scope{context_, table};
    Plan plan;
    plan.source = base.source;
    Syntax zero{SyntaxKind::kLiteral, {}, place, {}, {}, place, place};
    zero.literal = Literal{
        QType::kBoolean, false, {Atom{QType::kBoolean, std::int64_t{0}, place}}, place, place};
    const bool adds = word_ == "pj";
    for (std::size_t field = 0; field + beside_.size() < table.schema().fields.size(); ++field) {
      const std::string& name = table.schema().fields[field].name;
      const bool has_both = table.schema().find(right_name(name)).has_value();
      Syntax value = name_syntax(has_both ? right_name(name) : name, place);
      const bool is_right = base.source->columns[field].is_right;
      if (adds && (has_both || is_right)) value = call_of("^", {zero, std::move(value)});
      if (has_both) value = call_of(adds ? "+" : "^", {name_syntax(name, place), std::move(value)});
      Output output{name, Aggregate::kNone, {}, std::nullopt};
      HDB_ASSIGN(output.field, bind_field(value, scope, plan));
      plan.outputs.push_back(std::move(output));
    }
    PlanSource source;
    source.left = side_of(base, std::move(plan));
    source.schema = source.left.rows;
    return make_base(std::move(source), result_name());
  }

  // Beside the left rows the aggregates; the windows' ends are columns of the left side.
  Status add_windows() {
    const WindowJoin& windows = *syntax_.windows;
    source_.takes_prevailing = word_ == "wj";
    const std::size_t shown = left().fields.size();
    HDB_TRY(add_ends(windows));
    for (std::size_t column = 0; column < shown; ++column)
      source_.columns.push_back({left().fields[column].name, false, column});
    const PlannedTable right_rows("the right side of " + word_, right());
    const BindScope scope{context_, right_rows};
    for (const WindowAggregate& one : windows.aggregates) {
      std::vector<Syntax> arguments;
      for (const Name& column : one.columns)
        arguments.push_back(name_syntax(column.text, column.position));
      Plan none;
      HDB_ASSIGN(Output output, bind_aggregate(one.function.text, arguments, scope, none));
      if (!none.computed.empty()) {
        return text_error(
            fmt::format("{} of {} in a window is not supported: make the column in a query within, "
                        "as in select {},x:0<>{} from ...",
                        one.function.text, one.columns.back().text,
                        right().fields[source_.right_keys.back()].name, one.columns.back().text),
            one.function.position);
      }
      output.name = one.columns.back().text;
      // What counts rows needs a column to count.
      if (!output.field) output.field = source_.right_keys.back();
      const auto same = std::find_if(source_.columns.begin(), source_.columns.end(),
                                     [&](const SourceColumn& c) { return c.name == output.name; });
      const SourceColumn made{output.name, true, source_.aggregates.size()};
      if (same == source_.columns.end()) {
        source_.columns.push_back(made);
      } else {
        *same = made;
      }
      source_.aggregates.push_back(std::move(output));
    }
    for (const SourceColumn& column : source_.columns) {
      Field field = left().fields[column.is_right ? 0 : column.column];
      if (column.is_right) {
        const Output& output = source_.aggregates[column.column];
        field = right().fields[*output.field];
        const QType type = aggregate_type(output.aggregate, field.type);
        if (type != QType::kSymbol) field.domain = nullptr;
        field.type = type;
      }
      field.name = column.name;
      source_.schema.fields.push_back(std::move(field));
    }
    return ok_status();
  }

  // The left side with two more columns: where each window begins and where it ends.
  Status add_ends(const WindowJoin& windows) {
    RowBase base = make_base_of(std::move(source_.left), "the left side of " + word_);
    const BindScope scope{context_, base.table()};
    Plan plan;
    plan.source = base.source;
    const Schema& schema = base.table().schema();
    for (std::size_t field = 0; field < schema.own_fields(); ++field)
      plan.outputs.push_back({schema.fields[field].name, Aggregate::kNone, field, std::nullopt});
    for (std::size_t end = 0; end < 2; ++end) {
      const Syntax moved = call_of(
          "+", {name_syntax(windows.column.text, windows.column.position), windows.ends[end]});
      Output output{end == 0 ? "begin @" : "end @", Aggregate::kNone, {}, std::nullopt};
      HDB_ASSIGN(output.field, bind_field(moved, scope, plan));
      const QType type = field_type(plan, base.table(), *output.field);
      if (type != right().fields[source_.right_keys.back()].type)
        return text_error(fmt::format("'type: the windows are {}s, {} is {}", type_name(type),
                                      right().fields[source_.right_keys.back()].name,
                                      a_type(right().fields[source_.right_keys.back()].type)),
                          windows.ends[end].begin);
      source_.ends[end] = plan.outputs.size();
      plan.outputs.push_back(std::move(output));
    }
    source_.left = side_of(base, std::move(plan));
    return ok_status();
  }

  // A row without a right one keeps its own value, so both are of one type and one domain.
  Status keep_left(std::size_t column, SourceColumn& shown) const {
    const Field& mine = left().fields[column];
    const Field& other = right().fields[shown.column];
    const bool are_alike = mine.type == other.type && mine.items == other.items;
    if (!are_alike || mine.domain != other.domain) {
      return text_error(fmt::format("'type: {} replaces {}, which is {} on the left and {} on the "
                                    "right{}",
                                    word_, mine.name, a_type_of(mine), a_type_of(other),
                                    are_alike ? ", of another domain" : ""),
                        syntax_.name.position);
    }
    shown.otherwise = column;
    return ok_status();
  }

  const TableSyntax& syntax_;
  const BindContext& context_;
  const std::string& word_;
  PlanSource source_;
  std::vector<SourceColumn> beside_;  // right columns beside the left ones of their names
};

// One table behind another: t,u of the same columns; t uj u of all that either has.
class AppendBinder {
 public:
  AppendBinder(const TableSyntax& syntax, const BindContext& context)
      : syntax_(syntax), context_(context) {}

  Result<RowBase> run() {
    HDB_ASSIGN(PlanSide left, bind_side(syntax_.of[0], context_));
    HDB_ASSIGN(PlanSide right, bind_side(syntax_.of[1], context_));
    const std::size_t keys = key_count(*left.plan);
    if (keys != key_count(*right.plan))
      return error("'type: {} of a keyed table and of one that is not, or of other keys");
    if (keys == 0) return append(std::move(left), std::move(right));
    return upsert(std::move(left), std::move(right), keys);
  }

 private:
  // The right side is read twice, and so are those within it.
  static constexpr std::size_t kKeyedAppendsMax = 5;

  static std::size_t appends_in(const TableSyntax& table) {
    std::size_t most = 0;
    for (const TableSyntax& of : table.of) most = std::max(most, appends_in(of));
    const bool appends =
        table.kind == TableForm::kJoin && (table.name.text == "uj" || table.name.text == ",");
    return most + (appends ? 1 : 0);
  }

  Error error(const char* text) const {
    return text_error(fmt::format(fmt::runtime(text), syntax_.name.text), syntax_.name.position);
  }

  Result<RowBase> append(PlanSide left, PlanSide right) const {
    PlanSource source;
    source.kind = SourceKind::kAppend;
    const std::vector<Field>& fields = left.rows.fields;
    for (std::size_t c = 0; c < fields.size(); ++c) {
      const auto other = right.rows.find(fields[c].name);
      if (!other && syntax_.name.text == ",") return mismatch(fields[c].name, "right");
      HDB_ASSIGN(Field field, common(fields[c], other ? &right.rows.fields[*other] : nullptr));
      source.schema.fields.push_back(std::move(field));
      source.appended.push_back({c, other});
    }
    for (std::size_t c = 0; c < right.rows.fields.size(); ++c) {
      const Field& field = right.rows.fields[c];
      if (left.rows.find(field.name)) continue;
      if (syntax_.name.text == ",") return mismatch(field.name, "left");
      source.schema.fields.push_back(field);
      source.appended.push_back({std::nullopt, c});
    }
    source.left = std::move(left);
    source.right = std::move(right);
    return make_base(std::move(source), fmt::format("the result of {}", syntax_.name.text));
  }

  Error mismatch(const std::string& column, const char* side) const {
    return text_error(fmt::format("'mismatch: the {} side has no column {} (uj takes tables of "
                                  "different columns)",
                                  side, column),
                      syntax_.name.position);
  }

  Result<Field> common(const Field& mine, const Field* other) const {
    Field made = mine;
    made.attribute = Attribute::kNone;
    if (other == nullptr) return made;
    if (mine.type != other->type || mine.items != other->items)
      return text_error(fmt::format("'type: {} is {} on the left and {} on the right", mine.name,
                                    a_type_of(mine), a_type_of(*other)),
                        syntax_.name.position);
    if (mine.type == QType::kSymbol && mine.domain != other->domain)
      made.domain = both_domains(*mine.domain, *other->domain);
    return made;
  }

  // Symbols of either.
  static std::shared_ptr<const Domain> both_domains(const Domain& a, const Domain& b) {
    std::vector<std::string> symbols(a.symbols().begin(), a.symbols().end());
    const std::set<std::string_view> known(a.symbols().begin(), a.symbols().end());
    for (const std::string_view text : b.symbols()) {
      if (!known.contains(text)) symbols.emplace_back(text);
    }
    return make_domain(a.name(), std::move(symbols));
  }

  // Keyed tables: rows of the left one with the right one's values where it has their key, then the
  // rows of the right one whose keys are new.
  Result<RowBase> upsert(PlanSide left, PlanSide right, std::size_t keys) const {
    if (appends_in(syntax_.of[1]) > kKeyedAppendsMax)
      return error("not supported: {} of so many keyed tables, as each is read for all before it");
    TableSyntax joined = syntax_;
    joined.name.text = "lj";
    HDB_ASSIGN(RowBase updated, bind_join(joined, context_));
    PlanSource added;
    added.kind = SourceKind::kWithout;
    for (std::size_t k = 0; k < keys; ++k) {
      const auto own = left.rows.find(right.rows.fields[k].name);
      if (!own) return mismatch(right.rows.fields[k].name, "left");
      added.left_keys.push_back(k);
      added.right_keys.push_back(*own);
    }
    for (std::size_t c = 0; c < right.rows.fields.size(); ++c)
      added.columns.push_back({right.rows.fields[c].name, false, c});
    added.left = std::move(right);
    added.right = std::move(left);
    const RowBase rest = make_base(std::move(added), "the right side of uj");
    HDB_ASSIGN(RowBase base, append(all_of(updated), all_of(rest)));
    base.keys = keys;
    return base;
  }

  const TableSyntax& syntax_;
  const BindContext& context_;
};

// Takes `column=x` out of the conditions, and puts the column among the keys of fby behind it.
class EachBody {
 public:
  explicit EachBody(const Query& body) : query_(body) {}

  // The column; x must stand there alone.
  Result<Name> run(std::size_t position) {
    std::optional<std::size_t> at;
    for (std::size_t c = 0; c < query_.where.size() && !at; ++c) {
      if (is_choice(query_.where[c])) at = c;
    }
    const bool is_plain = query_.by.empty() && !query_.is_update && !query_.is_exec &&
                          !query_.limit.position && !query_.distinct;
    if (!at || !is_plain)
      return text_error("each takes {select ... from t where column=x, ...}, without by and limits",
                        position);
    const Syntax choice = query_.where[*at];
    query_.where.erase(query_.where.begin() + static_cast<std::ptrdiff_t>(*at));
    const Syntax column = choice.arguments[is_x(choice.arguments[0]) ? 1 : 0];
    for (std::size_t c = *at; c < query_.where.size(); ++c) group(query_.where[c], column);
    for (const Syntax& condition : query_.where) HDB_TRY(without_x(condition));
    for (const ParsedItem& item : query_.columns) {
      HDB_TRY(without_x(item.expression));
      if (has_aggregate(item.expression) || has_uniform(item.expression))
        return text_error("each takes columns of rows: write select ... by ...",
                          item.expression.begin);
    }
    return Name{column.text, column.position};
  }

  Query take() { return std::move(query_); }

 private:
  static bool is_x(const Syntax& syntax) {
    return syntax.kind == SyntaxKind::kName && syntax.text == "x";
  }
  static bool is_choice(const Syntax& condition) {
    if (!condition.is_call("=", 2)) return false;
    const Syntax& a = condition.arguments[0];
    const Syntax& b = condition.arguments[1];
    return (is_x(a) && b.kind == SyntaxKind::kName) || (is_x(b) && a.kind == SyntaxKind::kName);
  }
  static bool has_uniform(const Syntax& syntax) {
    const Function* function = syntax.kind == SyntaxKind::kCall
                                   ? find_function(syntax.text, syntax.arguments.size())
                                   : nullptr;
    return (function != nullptr && function->kind == FunctionKind::kUniform) ||
           std::any_of(syntax.arguments.begin(), syntax.arguments.end(), has_uniform);
  }
  static Status without_x(const Syntax& syntax) {
    if (is_x(syntax))
      return text_error("x may stand in one condition alone: column=x", syntax.begin);
    if (has_uniform(syntax))
      return text_error("each takes no functions of the rows before: write select ... by ...",
                        syntax.begin);
    for (const Syntax& argument : syntax.arguments) HDB_TRY(without_x(argument));
    return ok_status();
  }
  // Aggregates of the rows left are those of the column's value.
  static void group(Syntax& syntax, const Syntax& column) {
    for (Syntax& argument : syntax.arguments) group(argument, column);
    if (is_aggregate(syntax) && syntax.arguments.size() == 1) {
      Syntax name = name_syntax(syntax.text, syntax.position);
      Syntax pair{SyntaxKind::kList,           {},           syntax.begin, {},
                  {name, syntax.arguments[0]}, syntax.begin, syntax.end};
      syntax = call_of("fby", {std::move(pair), column});
      return;
    }
    if (!syntax.is_call("fby", 2)) return;
    Syntax& keys = syntax.arguments[1];
    if (keys.text == "[]" && keys.kind == SyntaxKind::kList) {
      keys.arguments.push_back(column);
    } else {
      keys = Syntax{SyntaxKind::kList, "[]", keys.begin, {}, {keys, column}, keys.begin, keys.end};
    }
  }

  Query query_;
};

}  // namespace

Result<RowBase> bind_join(const TableSyntax& syntax, const BindContext& context) {
  if (syntax.name.text == "," || syntax.name.text == "uj")
    return AppendBinder(syntax, context).run();
  return JoinBinder(syntax, context).run();
}

Result<RowBase> bind_each(const TableSyntax& syntax, const BindContext& context) {
  const std::size_t position = syntax.name.position;
  if (syntax.of[0].kind != TableForm::kQuery)
    return text_error("each takes {select ... from t where column=x, ...}", position);
  EachBody body(*syntax.of[0].query);
  HDB_ASSIGN(const Name column, body.run(position));
  Query query = body.take();
  // The column is there for the join, shown or not.
  const std::string key = "key @each";
  if (!query.columns.empty())
    query.columns.push_back(
        {Name{key, column.position}, name_syntax(column.text, column.position)});
  const std::string& chosen = query.columns.empty() ? column.text : key;
  PlanSource source;
  source.kind = SourceKind::kEach;
  HDB_ASSIGN(source.left, bind_side(syntax.of[1], context));
  HDB_ASSIGN(source.right, bind_query(query, query.table, context));
  if (source.left.rows.fields.size() != 1)
    return text_error("'type: each takes a list: exec one column", position);
  HDB_ASSIGN(const std::size_t right_key,
             find_in(source.right.rows, {chosen, column.position}, "the query of each"));
  const Field& value = source.left.rows.fields[0];
  if (value.type != source.right.rows.fields[right_key].type || value.type == QType::kNested)
    return text_error(
        fmt::format("'type: {} is {}, the list is of {}s", column.text,
                    a_type(source.right.rows.fields[right_key].type), type_name(value.type)),
        position);
  source.left_keys = {0};
  source.right_keys = {right_key};
  for (std::size_t c = 0; c < source.right.rows.fields.size(); ++c) {
    if (source.right.rows.fields[c].name != key)
      source.columns.push_back({source.right.rows.fields[c].name, true, c});
  }
  return make_base(std::move(source), "the result of each");
}

}  // namespace hdbench::queries
