#include "queries/stage_binder.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/column/memory_table.h"
#include "engine/operator/aggregator.h"
#include "engine/shaping/result_schema.h"
#include "engine/shaping/windows.h"
#include "queries/expression/functions.h"
#include "queries/types.h"

namespace hdbench::queries {
namespace {

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

Output output_of(const Schema& schema, std::size_t field) {
  return {schema.fields[field].name, Aggregate::kNone, field, std::nullopt};
}

class StageBinder {
 public:
  StageBinder(const TableSyntax& syntax, const BindContext& context)
      : syntax_(syntax), context_(context), word_(syntax.name.text) {}

  Result<RowBase> run() {
    if (word_ == "ungroup") return ungroup();
    HDB_ASSIGN(of_, bind_base(syntax_.of[0], context_));
    plan_.source = of_.source;
    keys_ = of_.keys;
    if (word_ == "meta") return base_of_own(meta_table(schema()), 1);
    if (word_ == "cols" || word_ == "keys") return names();
    if (word_ == "fills") return fills();
    if (word_ == "count") return count();
    for (std::size_t field = 0; field < schema().own_fields(); ++field)
      plan_.outputs.push_back(output_of(schema(), field));
    HDB_TRY(bind());
    return made();
  }

 private:
  const Schema& schema() const { return of_.table().schema(); }

  RowBase made() {
    plan_.source_keys = keys_;
    PlanSource source;
    source.left = side_of(of_, std::move(plan_));
    source.schema = source.left.rows;
    RowBase base = make_base(std::move(source), of_.table().name());
    base.keys = keys_;
    return base;
  }

  Status bind() {
    if (syntax_.numbers.empty() && syntax_.keys.empty()) return bind_plain();
    if (!syntax_.numbers.empty()) return bind_numbers();
    if (word_ == "xasc" || word_ == "xdesc") return order();
    if (word_ == "xkey") return key();
    if (word_ == "xcol") return rename();
    return choose(word_ == "#");
  }

  Status bind_plain() {
    constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
    if (word_ == "reverse") {
      plan_.take = RowTake{0, kAll, false, /*is_backwards=*/true};
    } else if (word_ == "distinct") {
      plan_.distinct = true;
    } else if (word_ == "asc" || word_ == "desc") {
      // By the first column that is no key.
      if (keys_ == plan_.outputs.size()) return no_values();
      HDB_TRY(can_order(keys_, syntax_.name));
      plan_.order = RowOrder{{keys_}, word_ == "desc"};
    } else if ((word_ == "first" || word_ == "last")) {
      // Of a keyed table its value.
      plan_.outputs.erase(plan_.outputs.begin(),
                          plan_.outputs.begin() + static_cast<std::ptrdiff_t>(keys_));
      keys_ = 0;
      plan_.take = RowTake{0, word_ == "first" ? 1 : -1};
    } else {
      return aggregate();
    }
    return ok_status();
  }

  Error no_values() const {
    return text_error(fmt::format("'type: {} of a table of keys alone", word_),
                      syntax_.name.position);
  }

  // max exec size from t
  Status aggregate() {
    const Function* function = find_function(word_, 1);
    if (schema().own_fields() != 1)
      return text_error(fmt::format("'type: {} of a table: exec one column", word_),
                        syntax_.name.position);
    const bool is_truth =
        function->aggregate == Aggregate::kAny || function->aggregate == Aggregate::kAll;
    const QType type = schema().fields[0].type;
    if (!aggregate_takes(function->aggregate, type) || (is_truth && type != QType::kBoolean))
      return text_error(fmt::format("'type: {} of {}s", word_, type_name(type)),
                        syntax_.name.position);
    plan_.outputs.front().aggregate = function->aggregate;
    plan_.is_exec = true;
    return ok_status();
  }

  Status bind_numbers() {
    constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
    const std::int64_t number = syntax_.numbers.front();
    if (word_ == "!") {
      if (number < 0 || static_cast<std::size_t>(number) > plan_.outputs.size())
        return text_error(
            fmt::format("'length: {} keys of {} columns", number, plan_.outputs.size()),
            syntax_.name.position);
      keys_ = static_cast<std::size_t>(number);
    } else if (word_ == "#") {
      plan_.take = RowTake{0, number, /*is_cyclic=*/true};
    } else if (word_ == "sublist") {
      const bool is_pair = syntax_.numbers.size() == 2;
      if (is_pair && (number < 0 || syntax_.numbers[1] < 0))
        return text_error("sublist takes a number of rows, or a first row and a number",
                          syntax_.name.position);
      plan_.take = is_pair ? RowTake{number, syntax_.numbers[1]} : RowTake{0, number};
    } else if (number >= 0) {
      plan_.take = RowTake{number, kAll};
    } else {
      plan_.take = RowTake{0, kAll};
      plan_.take->without_last = -number;
    }
    return ok_status();
  }

  Status can_order(std::size_t column, const Name& name) const {
    if (schema().fields[column].type != QType::kNested) return ok_status();
    return text_error(
        fmt::format("'type: {} of {}, which is a list", word_, schema().fields[column].name),
        name.position);
  }

  Result<std::vector<std::size_t>> columns() const {
    std::vector<std::size_t> columns;
    for (const Name& name : syntax_.keys) {
      HDB_ASSIGN(const std::size_t column, find_column(of_.table(), name));
      columns.push_back(column);
    }
    return columns;
  }

  Status order() {
    HDB_ASSIGN(const std::vector<std::size_t> columns, this->columns());
    for (std::size_t c = 0; c < columns.size(); ++c)
      HDB_TRY(can_order(columns[c], syntax_.keys[c]));
    plan_.order = RowOrder{columns, word_ == "xdesc"};
    return ok_status();
  }

  Status key() {
    HDB_ASSIGN(const std::vector<std::size_t> columns, this->columns());
    for (std::size_t c = 0; c < columns.size(); ++c)
      HDB_TRY(can_order(columns[c], syntax_.keys[c]));
    std::vector<Output> outputs;
    for (const std::size_t column : columns) outputs.push_back(output_of(schema(), column));
    for (Output& output : plan_.outputs) {
      if (std::find(columns.begin(), columns.end(), *output.field) == columns.end())
        outputs.push_back(std::move(output));
    }
    plan_.outputs = std::move(outputs);
    keys_ = columns.size();
    return ok_status();
  }

  // `a`b xcol t: names of the first columns.
  Status rename() {
    if (syntax_.keys.size() > plan_.outputs.size())
      return text_error(
          fmt::format("'length: {} names of {} columns", syntax_.keys.size(), plan_.outputs.size()),
          syntax_.name.position);
    for (std::size_t c = 0; c < syntax_.keys.size(); ++c)
      plan_.outputs[c].name = syntax_.keys[c].text;
    for (const Output& output : plan_.outputs) {
      const auto has_name = [&](const Output& one) { return one.name == output.name; };
      if (std::count_if(plan_.outputs.begin(), plan_.outputs.end(), has_name) > 1)
        return text_error(fmt::format("'dup: two columns are called {}", output.name),
                          syntax_.name.position);
    }
    return ok_status();
  }

  // `a`b#t: these columns; `a`b _ t: the others.
  Status choose(bool are_kept) {
    HDB_ASSIGN(const std::vector<std::size_t> columns, this->columns());
    std::vector<Output> kept;
    for (const std::size_t column : columns) {
      if (are_kept) kept.push_back(output_of(schema(), column));
      if (column < of_.keys) keys_ = 0;
    }
    for (const Output& output : plan_.outputs) {
      const bool is_named =
          std::find(columns.begin(), columns.end(), *output.field) != columns.end();
      if (!are_kept && !is_named) kept.push_back(output);
    }
    if (kept.empty()) return text_error("a table without columns", syntax_.name.position);
    if (are_kept) keys_ = 0;
    plan_.outputs = std::move(kept);
    return ok_status();
  }

  Result<RowBase> names() const {
    std::vector<std::string> names;
    const std::size_t count = word_ == "keys" ? of_.keys : schema().own_fields();
    for (std::size_t field = 0; field < count; ++field)
      names.push_back(schema().fields[field].name);
    return base_of_own(table_of(word_, {word_.c_str()}, {symbol_column(names)}), 0);
  }

  Result<RowBase> count() {
    plan_.outputs.push_back({"x", Aggregate::kCount, std::nullopt, std::nullopt});
    plan_.is_exec = true;
    keys_ = 0;
    return made();
  }

  // Each column that has nulls, over all rows.
  Result<RowBase> fills() {
    Plan rows;
    rows.source = of_.source;
    for (std::size_t field = 0; field < schema().own_fields(); ++field)
      rows.outputs.push_back(output_of(schema(), field));
    PlanSource windows;
    windows.kind = SourceKind::kWindows;
    windows.left = side_of(of_, std::move(rows));
    windows.schema = windows.left.rows;
    Plan filled;
    for (std::size_t field = 0; field < windows.left.rows.fields.size(); ++field) {
      Field made = windows.left.rows.fields[field];
      std::size_t place = field;
      if (field >= keys_ && made.type != QType::kNested) {
        windows.windows.push_back({made.name + " @filled", Uniform::kFills, field, 0, {}});
        place = windows.schema.fields.size();
        made.followed = true;
        windows.schema.fields.push_back(made);
        windows.schema.fields.back().name += " @filled";
      }
      filled.outputs.push_back({made.name, Aggregate::kNone, place, std::nullopt});
    }
    if (windows.windows.empty()) return std::move(of_);  // lists have no nulls
    of_ = make_base(std::move(windows), of_.table().name());
    filled.source = of_.source;
    plan_ = std::move(filled);
    return made();
  }

  // A query by keys gives its rows in their order; of other tables lists become rows.
  Result<RowBase> ungroup() {
    PlanSource source;
    HDB_ASSIGN(source.left, bind_side(syntax_.of[0], context_, ListForm::kUngrouped));
    source.schema = source.left.rows;
    if (source.left.plan->lists) return make_base(std::move(source), "the rows of ungroup");
    bool has_lists = false;
    source.kind = SourceKind::kItems;
    for (Field& field : source.schema.fields) {
      if (!field.items) continue;
      has_lists = true;
      if (*field.items == QType::kSymbol)
        return text_error(fmt::format("not supported yet: ungroup of lists of symbols ({}), but "
                                      "right before select ... by ...",
                                      field.name),
                          syntax_.name.position);
      field.type = *field.items;
      field.items.reset();
    }
    if (has_lists) return make_base(std::move(source), "the rows of ungroup");
    return text_error(
        "ungroup takes a query whose columns are lists: select ... by ... without "
        "aggregates",
        syntax_.name.position);
  }

  const TableSyntax& syntax_;
  const BindContext& context_;
  const std::string& word_;
  RowBase of_;
  Plan plan_;
  std::size_t keys_ = 0;
};

}  // namespace

Result<RowBase> bind_tables(const TableSyntax& syntax, const BindContext& context) {
  const std::vector<std::string>& names = context.tables.names;
  if (names.empty()) return text_error("tables[] needs a database", syntax.name.position);
  return base_of_own(table_of("tables", {"tables"}, {symbol_column(names)}), 0);
}

Result<RowBase> bind_stage(const TableSyntax& syntax, const BindContext& context) {
  return StageBinder(syntax, context).run();
}

}  // namespace hdbench::queries
