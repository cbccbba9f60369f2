#include "queries/table_binder.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/column/memory_table.h"
#include "engine/shaping/result_schema.h"
#include "queries/types.h"

namespace hdbench::queries {
namespace {

// Of what is no query, all columns.
Result<PlanSide> bind_side(const TableSyntax& syntax, const BindContext& context,
                           ListForm lists = ListForm::kLists) {
  static const Query kAll;
  if (syntax.kind == TableForm::kQuery)
    return bind_query(*syntax.query, syntax.query->table, context, lists);
  return bind_query(kAll, syntax, context);
}

Result<std::size_t> find_in(const Schema& schema, const Name& name, const std::string& where) {
  return find_column(PlannedTable(where, schema), name);
}

// The last of them may be what kAsOf compares.
class JoinBinder {
 public:
  JoinBinder(const TableSyntax& syntax, const BindContext& context)
      : syntax_(syntax), context_(context), word_(syntax.name.text) {}

  Result<RowBase> run() {
    HDB_ASSIGN(source_.left, bind_side(syntax_.of[0], context_));
    HDB_ASSIGN(source_.right, bind_side(syntax_.of[1], context_));
    HDB_TRY(bind_keys());
    HDB_TRY(add_columns());
    const std::size_t keys = key_count(*source_.left.plan);
    RowBase base = make_base(std::move(source_), fmt::format("the result of {}", word_));
    base.keys = keys;
    return base;
  }

 private:
  const Schema& left() const { return source_.left.rows; }
  const Schema& right() const { return source_.right.rows; }
  bool is_as_of() const { return word_ == "aj" || word_ == "aj0"; }

  Status bind_keys() {
    source_.kind = word_ == "aj"    ? SourceKind::kAsOf
                   : word_ == "aj0" ? SourceKind::kAsOfTimes
                   : word_ == "lj"  ? SourceKind::kLeft
                                    : SourceKind::kInner;
    std::vector<Name> keys = syntax_.keys;
    if (!is_as_of()) {
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
    return is_as_of() ? check_last_key(keys.back()) : ok_status();
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
      if (found && (is_time || !is_right_key(*found))) {
        shown = {name, true, *found};
        if (source_.kind != SourceKind::kInner) HDB_TRY(keep_left(column, shown));
      }
      source_.columns.push_back(shown);
    }
    for (std::size_t column = 0; column < right().fields.size(); ++column) {
      const std::string& name = right().fields[column].name;
      if (!is_right_key(column) && !left().find(name))
        source_.columns.push_back({name, true, column});
    }
    return ok_status();
  }

  // A row without a right one keeps its own value, so both are of one type and one domain.
  Status keep_left(std::size_t column, SourceColumn& shown) const {
    const Field& mine = left().fields[column];
    const Field& other = right().fields[shown.column];
    if (mine.type != other.type || mine.domain != other.domain) {
      return text_error(fmt::format("'type: {} replaces {}, which is {} on the left and {} on the "
                                    "right{}",
                                    word_, mine.name, a_type(mine.type), a_type(other.type),
                                    mine.type == other.type ? ", of another domain" : ""),
                        syntax_.name.position);
    }
    shown.otherwise = column;
    return ok_status();
  }

  const TableSyntax& syntax_;
  const BindContext& context_;
  const std::string& word_;
  PlanSource source_;
};

// `a`b xasc t, xdesc, xkey: a plan of its own.
Result<RowBase> bind_sort(const TableSyntax& syntax, const BindContext& context) {
  HDB_ASSIGN(const RowBase sorted, bind_base(syntax.of[0], context));
  const Schema& schema = sorted.table().schema();
  std::vector<std::size_t> columns;
  for (const Name& name : syntax.keys) {
    HDB_ASSIGN(const std::size_t column, find_column(sorted.table(), name));
    if (schema.fields[column].type == QType::kNested) {
      return text_error(
          fmt::format("'type: {} of {}, which is a list", syntax.name.text, name.text),
          name.position);
    }
    columns.push_back(column);
  }
  const bool is_key = syntax.name.text == "xkey";
  Plan plan;
  plan.source = sorted.source;
  const auto show = [&](std::size_t field) {
    plan.outputs.push_back({schema.fields[field].name, Aggregate::kNone, field, std::nullopt});
  };
  if (is_key) std::for_each(columns.begin(), columns.end(), show);
  for (std::size_t field = 0; field < schema.own_fields(); ++field) {
    if (!is_key || std::find(columns.begin(), columns.end(), field) == columns.end()) show(field);
  }
  plan.source_keys = is_key ? columns.size() : sorted.keys;
  if (!is_key) plan.order = RowOrder{columns, syntax.name.text == "xdesc"};
  PlanSource source;
  source.left = side_of(sorted, std::move(plan));
  source.schema = source.left.rows;
  const std::size_t keys = source.left.plan->source_keys;
  RowBase base = make_base(std::move(source), sorted.table().name());
  base.keys = keys;
  return base;
}

// Lists are made of rows that stand in the order of their keys: these.
Result<RowBase> bind_ungroup(const TableSyntax& syntax, const BindContext& context) {
  PlanSource source;
  HDB_ASSIGN(source.left, bind_side(syntax.of[0], context, ListForm::kUngrouped));
  if (!source.left.plan->lists) {
    return text_error(
        "ungroup takes a query whose columns are lists: select ... by ... without "
        "aggregates",
        syntax.name.position);
  }
  source.schema = source.left.rows;
  return make_base(std::move(source), "the rows of ungroup");
}

// A column of symbols, each once in a domain of their own.
Column symbol_column(const std::vector<std::string>& texts) {
  std::vector<std::string> symbols;
  std::vector<std::int64_t> codes;
  for (const std::string& text : texts) {
    const auto known = std::find(symbols.begin(), symbols.end(), text);
    codes.push_back(known - symbols.begin());
    if (known == symbols.end()) symbols.push_back(text);
  }
  auto domain = make_domain("meta", std::move(symbols));
  Column column = make_column<std::int64_t>(QType::kSymbol, codes, std::move(domain));
  column.has_null_codes = true;
  return column;
}

std::string attribute_letter(Attribute attribute) {
  constexpr std::string_view kLetters = " supg";
  return attribute == Attribute::kNone
             ? ""
             : std::string(1, kLetters[static_cast<std::size_t>(attribute)]);
}

std::shared_ptr<const Table> table_of(std::string name, const std::vector<const char*>& names,
                                      std::vector<Column> columns) {
  Schema shown;
  for (std::size_t c = 0; c < names.size(); ++c)
    shown.fields.push_back({names[c], columns[c].type, Attribute::kNone, columns[c].domain});
  std::vector<MemoryTable::Part> parts;
  parts.push_back({0, std::move(columns)});
  return std::make_shared<const MemoryTable>(std::move(name), std::move(shown), std::move(parts));
}

// meta's table of a schema: c is the key; f is the table that a link is of.
std::shared_ptr<const Table> meta_table(const Schema& schema) {
  std::vector<std::string> names;
  std::vector<std::uint8_t> letters;
  std::vector<std::string> links;
  std::vector<std::string> attributes;
  for (std::size_t field = 0; field < schema.own_fields(); ++field) {
    const Field& shown = schema.fields[field];
    names.push_back(shown.name);
    letters.push_back(static_cast<std::uint8_t>(type_letter(shown.type)));
    links.push_back(shown.link);
    attributes.push_back(attribute_letter(shown.attribute));
  }
  return table_of("meta", {"c", "t", "f", "a"},
                  {symbol_column(names), make_column<std::uint8_t>(QType::kChar, letters),
                   symbol_column(links), symbol_column(attributes)});
}

// A table of the plan's own: what is known without reading a column.
RowBase base_of_own(const std::shared_ptr<const Table>& made, std::size_t keys) {
  Plan plan;
  for (std::size_t field = 0; field < made->schema().fields.size(); ++field) {
    plan.outputs.push_back(
        {made->schema().fields[field].name, Aggregate::kNone, field, std::nullopt});
  }
  PlanSource source;
  source.left.rows = result_schema(plan, made->schema());
  source.left.plan = std::make_shared<const Plan>(std::move(plan));
  source.left.table = made.get();
  source.left.owned = made;
  source.schema = source.left.rows;
  RowBase base = make_base(std::move(source), made->name());
  base.keys = keys;
  return base;
}

Result<RowBase> bind_meta(const TableSyntax& syntax, const BindContext& context) {
  HDB_ASSIGN(const RowBase described, bind_base(syntax.of[0], context));
  return base_of_own(meta_table(described.table().schema()), 1);
}

Result<RowBase> bind_tables(const TableSyntax& syntax, const BindContext& context) {
  const std::vector<std::string>& names = context.tables.names;
  if (names.empty()) return text_error("tables[] needs a database", syntax.name.position);
  return base_of_own(table_of("tables", {"tables"}, {symbol_column(names)}), 0);
}

}  // namespace

Result<RowBase> bind_base(const TableSyntax& syntax, const BindContext& context) {
  switch (syntax.kind) {
    case TableForm::kName: {
      RowBase base;
      HDB_ASSIGN(base.leaf, context.tables.find(syntax.name.text));
      return base;
    }
    case TableForm::kJoin: return JoinBinder(syntax, context).run();
    case TableForm::kSort: return bind_sort(syntax, context);
    case TableForm::kUngroup: return bind_ungroup(syntax, context);
    case TableForm::kMeta: return bind_meta(syntax, context);
    case TableForm::kTables: return bind_tables(syntax, context);
    case TableForm::kQuery: break;
  }
  PlanSource source;
  HDB_ASSIGN(source.left, bind_query(*syntax.query, syntax.query->table, context));
  source.schema = source.left.rows;
  const std::size_t keys = key_count(*source.left.plan);
  RowBase base = make_base(std::move(source), "the query within");
  base.keys = keys;
  return base;
}

RowBase make_base(PlanSource source, const std::string& name) {
  if (source.schema.fields.empty()) {
    for (const SourceColumn& column : source.columns) {
      const Schema& side = column.is_right ? source.right.rows : source.left.rows;
      source.schema.fields.push_back(side.fields[column.column]);
      source.schema.fields.back().name = column.name;
    }
  }
  RowBase base;
  base.planned = std::make_shared<const PlannedTable>(name, source.schema);
  base.source = std::make_shared<const PlanSource>(std::move(source));
  return base;
}

PlanSide side_of(const RowBase& base, Plan plan) {
  PlanSide side;
  side.table = base.leaf;
  side.rows = result_schema(plan, base.table().schema());
  side.plan = std::make_shared<const Plan>(std::move(plan));
  return side;
}

}  // namespace hdbench::queries
