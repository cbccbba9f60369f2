// Random tables and random plans on every axis, against the row-at-a-time reference.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <map>
#include <random>

#include "engine/base/catch.h"
#include "engine/column/column.h"
#include "engine/column/memory_table.h"
#include "engine/column/order_key.h"
#include "engine/exec/execute.h"
#include "engine/kernel/ids.h"
#include "engine/operator/aggregator.h"
#include "engine/testing/plain_aggregates.h"
#include "engine/testing/random_expression.h"
#include "engine/testing/row_reference.h"
#include "engine/testing/thread_ranks.h"

using namespace hdbench;

namespace {

using Random = std::mt19937_64;

std::uint64_t below(Random& random, std::uint64_t bound) { return random() % bound; }

// Every field of the random tables; date is virtual or real by layout.
struct RandomTables {
  std::shared_ptr<Table> partitioned;
  std::shared_ptr<Table> flat;
  std::shared_ptr<Table> narrow;  // the same, its dates as offsets
};

const std::vector<std::pair<std::string, QType>>& real_fields() {
  static const std::vector<std::pair<std::string, QType>> fields = {
      {"sym", QType::kSymbol},    {"venue", QType::kSymbol}, {"flag", QType::kBoolean},
      {"mode", QType::kChar},     {"lots", QType::kShort},   {"size", QType::kInt},
      {"volume", QType::kLong},   {"rate", QType::kReal},    {"price", QType::kFloat},
      {"time", QType::kTimespan}, {"id", QType::kGuid},      {"note", QType::kNested},
  };
  return fields;
}

double random_price(Random& random) {
  switch (below(random, 40)) {
    case 0: return std::numeric_limits<double>::quiet_NaN();
    case 1: return -0.0;
    case 2: return 0.0;
    case 3: return -1e12;
    default: return static_cast<double>(below(random, 2000)) / 100 - 5;
  }
}

template <typename T, typename Make>
Column random_column(QType type, std::uint64_t rows, const Make& make,
                     std::shared_ptr<const Domain> domain = nullptr) {
  std::vector<T> values(rows);
  for (T& value : values) value = make();
  return make_column<T>(type, values, std::move(domain));
}

template <typename T>
T with_nulls(Random& random, T value) {
  return below(random, 15) == 0 ? std::numeric_limits<T>::min() : value;
}

struct Guid {
  std::uint64_t words[2];
};

template <typename Code>
Column random_codes(std::uint64_t rows, Random& random,
                    const std::shared_ptr<const Domain>& domain) {
  return random_column<Code>(
      QType::kSymbol, rows, [&] { return static_cast<Code>(below(random, domain->stored_size())); },
      domain);
}

Column random_column(QType type, std::uint64_t rows, Random& random,
                     const std::shared_ptr<const Domain>& domain, std::uint32_t code_width) {
  switch (type) {
    case QType::kSymbol:
      if (code_width == 1) return random_codes<std::uint8_t>(rows, random, domain);
      if (code_width == 2) return random_codes<std::uint16_t>(rows, random, domain);
      if (code_width == 4) return random_codes<std::int32_t>(rows, random, domain);
      return random_codes<std::int64_t>(rows, random, domain);
    case QType::kBoolean:
      return random_column<std::uint8_t>(type, rows,
                                         [&] { return std::uint8_t(below(random, 2)); });
    case QType::kChar:
      return random_column<std::uint8_t>(type, rows,
                                         [&] { return std::uint8_t("ABN "[below(random, 4)]); });
    case QType::kShort:
      return random_column<std::int16_t>(
          type, rows, [&] { return with_nulls(random, std::int16_t(below(random, 9))); });
    case QType::kInt:
      return random_column<std::int32_t>(
          type, rows, [&] { return with_nulls(random, std::int32_t(below(random, 100)) - 50); });
    case QType::kLong:
    case QType::kTimespan:
      return random_column<std::int64_t>(
          type, rows, [&] { return with_nulls(random, std::int64_t(below(random, 1u << 20))); });
    case QType::kReal:
      return random_column<float>(type, rows,
                                  [&] { return static_cast<float>(random_price(random)); });
    case QType::kFloat:
      return random_column<double>(type, rows, [&] { return random_price(random); });
    case QType::kGuid:
      return random_column<Guid>(type, rows,
                                 [&] { return Guid{{below(random, 3), below(random, 5)}}; });
    default: break;
  }
  static const char kNotes[] = "alpha beta gamma";
  return random_column<NestedCell>(type, rows, [&] {
    const std::size_t start = below(random, 3) * 6;
    return NestedCell{reinterpret_cast<const std::byte*>(kNotes) + start,
                      std::uint32_t(below(random, 5)), 10, false, 0};
  });
}

// Makes the symbol column parted: sorted by code in a random order of codes.
Column parted(const Column& column, Random& random) {
  std::vector<std::int64_t> codes(column.rows);
  for (std::uint64_t row = 0; row < column.rows; ++row) {
    std::memcpy(&codes[row], column.data + row * column.width, column.width);
  }
  const std::uint64_t salt = random();
  std::sort(codes.begin(), codes.end(), [&](std::int64_t a, std::int64_t b) {
    return ((static_cast<std::uint64_t>(a) ^ salt) * 31) % 64 <
           ((static_cast<std::uint64_t>(b) ^ salt) * 31) % 64;
  });
  std::stable_sort(codes.begin(), codes.end());
  Column result = make_column<std::int64_t>(QType::kSymbol, codes, column.domain);
  result.attribute = Attribute::kParted;
  result.index = std::make_shared<PartedIndex>(*make_parted_index(result));
  return result;
}

Column joined(const std::vector<MemoryTable::Part>& parts, std::size_t c) {
  const Column& first = parts.front().columns[c];
  auto bytes = std::make_shared<std::vector<std::byte>>();
  Column column = first;
  column.rows = 0;
  column.attribute = Attribute::kNone;
  column.index = nullptr;
  column.width = 0;
  for (const auto& part : parts) column.width = std::max(column.width, part.columns[c].width);
  for (const auto& part : parts) {
    const Column& piece = part.columns[c];
    for (std::uint64_t row = 0; row < piece.rows; ++row) {
      std::byte element[16] = {};
      std::memcpy(element, piece.data + row * piece.width, piece.width);
      bytes->insert(bytes->end(), element, element + column.width);
    }
    column.rows += piece.rows;
  }
  column.data = bytes->data();
  column.keep_alive.push_back(bytes);
  return column;
}

// Now and then at 2000.01.01, whose number is 0, or before it.
std::int64_t first_day(Random& random) {
  return below(random, 4) == 0 ? static_cast<std::int64_t>(below(random, 2)) * 4 - 4 : 7300;
}

// Dates as offsets from the least of them, or from `before` days before that.
template <typename Offset>
Column offsets_of(const Column& dates, std::uint64_t before) {
  std::vector<Offset> offsets;
  const std::int64_t base =
      dates.rows == 0 ? 0 : order_key_at(dates, 0) - static_cast<std::int64_t>(before);
  for (std::uint64_t row = 0; row < dates.rows; ++row)
    offsets.push_back(static_cast<Offset>(order_key_at(dates, row) - base));
  Column column = make_column<Offset>(QType::kDate, offsets);
  column.base = base;
  column.attribute = dates.attribute;
  column.index = dates.index;
  return column;
}

RandomTables random_tables(Random& random, std::uint64_t rows_max) {
  std::vector<std::string> symbols{"IBM", "MSFT", "", "AAPL", "zeta", "Alpha"};
  // More than a byte's codes, now and then.
  for (std::size_t k = below(random, 4) == 0 ? 300 : 0; k > 0; --k)
    symbols.push_back(fmt::format("s{}", k));
  const auto domain = make_domain("sym", symbols);
  Schema schema;
  schema.partitioned = true;
  schema.fields.push_back({"date", QType::kDate, Attribute::kNone, nullptr});
  for (const auto& [name, type] : real_fields()) {
    schema.fields.push_back(
        {name, type, Attribute::kNone, type == QType::kSymbol ? domain : nullptr});
  }
  const bool sym_parted = below(random, 2) == 0;
  std::vector<MemoryTable::Part> parts;
  const std::size_t part_count = 1 + below(random, 4);
  const std::int64_t first = first_day(random);
  std::vector<std::int32_t> dates;
  for (std::size_t p = 0; p < part_count; ++p) {
    MemoryTable::Part part;
    part.partition_value = first + static_cast<std::int64_t>(p * (1 + below(random, 2)));
    if (p != 0) {
      // Now and then the one before again, as where segments share a partition.
      const std::int64_t last = parts.back().partition_value;
      part.partition_value =
          below(random, 4) == 0 ? last : std::max(part.partition_value, last + 1);
    }
    const std::uint64_t rows = below(random, 6) == 0 ? 0 : below(random, rows_max);
    const std::uint32_t code_width = std::uint32_t{1} << below(random, 4);
    for (const auto& [name, type] : real_fields()) {
      part.columns.push_back(random_column(type, rows, random, domain,
                                           std::max(code_width, id_width(domain->stored_size()))));
    }
    if (sym_parted) part.columns[0] = parted(part.columns[0], random);
    dates.insert(dates.end(), rows, static_cast<std::int32_t>(part.partition_value));
    parts.push_back(std::move(part));
  }
  MemoryTable::Part whole;
  Column date = make_column<std::int32_t>(QType::kDate, dates);
  date.attribute = Attribute::kParted;
  date.index = std::make_shared<PartedIndex>(*make_parted_index(date));
  whole.columns.push_back(std::move(date));
  for (std::size_t c = 0; c < real_fields().size(); ++c) whole.columns.push_back(joined(parts, c));
  Schema flat_schema = schema;
  flat_schema.partitioned = false;
  MemoryTable::Part narrow = whole;
  Column& narrowed = narrow.columns.front();
  const std::uint64_t before = below(random, 3);
  narrowed = below(random, 2) == 0 ? offsets_of<std::uint8_t>(narrowed, before)
                                   : offsets_of<std::int16_t>(narrowed, before);
  const auto flat_table = [&](MemoryTable::Part part) {
    return std::make_shared<MemoryTable>("quote", flat_schema,
                                         std::vector<MemoryTable::Part>{std::move(part)});
  };
  return {std::make_shared<MemoryTable>("quote", schema, std::move(parts)),
          flat_table(std::move(whole)), flat_table(std::move(narrow))};
}

std::int64_t random_key(Random& random, QType type) {
  switch (type) {
    case QType::kDate: return first_day(random) - 3 + static_cast<std::int64_t>(below(random, 14));
    case QType::kReal:
    case QType::kFloat: return float_order_key(random_price(random));
    case QType::kChar: return "ABN "[below(random, 4)];
    case QType::kLong:
    case QType::kTimespan: return static_cast<std::int64_t>(below(random, 1u << 20));
    case QType::kInt: return static_cast<std::int64_t>(below(random, 120)) - 60;
    default: return static_cast<std::int64_t>(below(random, 10));
  }
}

Test random_test(Random& random, const Field& field) {
  if (field.type == QType::kSymbol) {
    CodeTest test{std::vector<std::uint8_t>(field.domain->size()), {}};
    for (std::uint64_t code = 0; code < test.member.size(); ++code) {
      if (below(random, 2) == 0) continue;
      test.member[code] = 1;
      test.codes.push_back(code);
    }
    return test;
  }
  if (field.type == QType::kNested) return LikeTest{below(random, 2) == 0 ? "a*" : "*et*"};
  if (field.type == QType::kGuid) {
    GuidTest test;
    const Guid guid{{below(random, 3), below(random, 5)}};
    test.values.emplace_back();
    std::memcpy(test.values.back().data(), &guid, 16);
    return test;
  }
  if (below(random, 3) == 0) {
    SetTest test;
    for (std::uint64_t i = below(random, 14) + 1; i != 0; --i)
      test.keys.push_back(random_key(random, field.type));
    std::sort(test.keys.begin(), test.keys.end());
    test.keys.erase(std::unique(test.keys.begin(), test.keys.end()), test.keys.end());
    return test;
  }
  RangeTest range{random_key(random, field.type), random_key(random, field.type)};
  if (below(random, 4) == 0) range.high = range.low;
  if (below(random, 4) == 0) range.low = std::numeric_limits<std::int64_t>::min();
  if (below(random, 4) == 0) range.high = std::numeric_limits<std::int64_t>::max();
  return range;
}

// Fields that arithmetic works on.
std::vector<DrawnField> drawn_fields(const Schema& schema) {
  std::vector<DrawnField> fields;
  for (std::size_t f = 0; f < schema.fields.size(); ++f) {
    const QType type = schema.fields[f].type;
    if (type != QType::kSymbol && type != QType::kGuid && type != QType::kNested)
      fields.push_back({f, type});
  }
  return fields;
}

ExpressionNode node_of(Operation operation, QType type, std::array<std::uint32_t, 3> arguments,
                       std::size_t field = 0) {
  return {operation, type, arguments, field, {}, {}, {}, {}};
}

// One symbol or another, whether two are equal, a pattern's matches.
Expression text_expression(Random& random, const Schema& schema) {
  const std::size_t sym = *schema.find("sym");
  std::vector<ExpressionNode> nodes{
      node_of(Operation::kField, QType::kBoolean, {}, *schema.find("flag")),
      node_of(Operation::kField, QType::kSymbol, {}, sym),
      node_of(Operation::kField, QType::kSymbol, {}, sym + 1)};
  switch (below(random, 4)) {
    case 0: nodes.push_back(node_of(Operation::kChoose, QType::kSymbol, {0, 1, 2})); break;
    case 1: nodes.push_back(node_of(Operation::kEqual, QType::kBoolean, {1, 2, 0})); break;
    case 2: nodes.push_back(node_of(Operation::kFill, QType::kSymbol, {1, 2, 0})); break;
    default:
      nodes = {node_of(Operation::kField, QType::kNested, {}, *schema.find("note")),
               node_of(Operation::kLike, QType::kBoolean, {})};
      nodes.back().pattern = "*a";
  }
  const bool is_symbol = nodes.back().type == QType::kSymbol;
  return {nodes, is_symbol ? schema.fields[sym].domain : nullptr};
}

// The schema with the fields that the plan computes from now on.
Schema computing(Random& random, const Schema& schema, Plan& plan) {
  static constexpr QType kTypes[] = {QType::kBoolean, QType::kInt,    QType::kLong,
                                     QType::kReal,    QType::kFloat,  QType::kDate,
                                     QType::kTime,    QType::kMinute, QType::kTimespan};
  Schema extended = schema;
  for (std::uint64_t i = below(random, 4); i != 0; --i) {
    const std::vector<DrawnField> fields = drawn_fields(schema);
    const Expression expression =
        below(random, 4) == 0
            ? text_expression(random, schema)
            : random_expression(random, fields, kTypes[below(random, std::size(kTypes))],
                                static_cast<int>(1 + below(random, 3)));
    const std::string text = fmt::format("computed{}", i);
    plan.computed.push_back({text, expression});
    const QType type = expression.type();
    extended.fields.push_back(
        {text, type, Attribute::kNone,
         type == QType::kSymbol ? schema.fields[*schema.find("sym")].domain : nullptr});
  }
  return extended;
}

// Columns made of the aggregates that there are.
void add_results(Random& random, const Schema& schema, Plan& plan) {
  std::vector<DrawnField> outputs;
  for (std::size_t o = 0; o < plan.outputs.size(); ++o) {
    const Output& output = plan.outputs[o];
    const QType type = output.field ? schema.fields[*output.field].type : QType::kLong;
    const QType shown = aggregate_type(output.aggregate, type);
    if (below(random, 3) == 0)
      plan.results.push_back({output.name, {{node_of(Operation::kField, shown, {}, o)}}});
    if (shown != QType::kSymbol && shown != QType::kGuid && shown != QType::kNested)
      outputs.push_back({o, shown});
  }
  for (const QType type : {QType::kFloat, QType::kLong, QType::kBoolean}) {
    plan.results.push_back(
        {fmt::format("r{}", static_cast<int>(type)), random_expression(random, outputs, type, 2)});
  }
}

void add_outputs(Random& random, const Schema& schema, Plan& plan) {
  const std::size_t form = below(random, 3);
  const auto is_key = [&](std::size_t field) {
    return std::any_of(plan.by.begin(), plan.by.end(),
                       [&](const GroupKey& key) { return key.field == field; });
  };
  if (form == 0 || (form == 1 && plan.by.empty())) {
    plan.last_rows = !plan.by.empty();
    for (std::size_t f = 0; f < schema.fields.size(); ++f) {
      if (!is_key(f) && (plan.last_rows || below(random, 3) != 0)) {
        plan.outputs.push_back({schema.fields[f].name, Aggregate::kNone, f, std::nullopt});
      }
    }
    if (plan.outputs.empty())
      plan.outputs.push_back({"x", Aggregate::kCount, std::nullopt, std::nullopt});
    return;
  }
  plan.outputs.push_back({"x", Aggregate::kCount, std::nullopt, std::nullopt});
  for (int i = 0; i < 8; ++i) {
    const std::size_t field = below(random, schema.fields.size());
    const auto aggregate = static_cast<Aggregate>(1 + below(random, 20));
    if (!aggregate_takes(aggregate, schema.fields[field].type)) continue;
    Output output{fmt::format("o{}", i), aggregate, field, std::nullopt};
    if (takes_two(aggregate)) output.weights = schema.find("volume");
    plan.outputs.push_back(output);
  }
  if (below(random, 3) == 0) add_results(random, schema, plan);
}

Plan random_plan(Random& random, const Schema& table_schema) {
  Plan plan;
  const Schema schema = computing(random, table_schema, plan);
  for (std::uint64_t i = below(random, 4); i != 0; --i) {
    const std::size_t field = below(random, 3) == 0 ? 0 : below(random, schema.fields.size());
    plan.where.push_back(
        {"c", field, random_test(random, schema.fields[field]), below(random, 4) == 0});
  }
  std::vector<std::size_t> keys;
  for (std::uint64_t i = below(random, 3); i != 0; --i)
    keys.push_back(below(random, schema.fields.size()));
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  std::shuffle(keys.begin(), keys.end(), random);
  for (const std::size_t field : keys) plan.by.push_back({schema.fields[field].name, field});
  add_outputs(random, schema, plan);
  return plan;
}

std::string describe(const Plan& plan, const Schema& schema) {
  std::string text = "by";
  for (const GroupKey& key : plan.by) text += " " + key.name;
  text += " where";
  for (const Condition& condition : plan.where) {
    const bool is_computed = condition.field >= schema.fields.size();
    text += " " + (is_computed ? "computed" : schema.fields[condition.field].name) +
            (condition.negated ? " not " : " ");
    if (const auto* range = std::get_if<RangeTest>(&condition.test)) {
      text += std::to_string(range->low) + ".." + std::to_string(range->high);
    } else {
      text += "test " + std::to_string(condition.test.index());
    }
  }
  return text;
}

std::vector<ThreadPool*> pools() {
  static ThreadPool one(1);
  static ThreadPool two(2);
  static ThreadPool five(5);
  return {&one, &two, &five};
}

// Which several ranks do not merge.
bool groups_by_lists(const Plan& plan, const Schema& schema) {
  return std::any_of(plan.by.begin(), plan.by.end(), [&](const GroupKey& key) {
    return key.field < schema.fields.size() && schema.fields[key.field].type == QType::kNested;
  });
}

// Runs a plan on every axis and gives the one checksum that all must have.
void check_plan(const RandomTables& tables, const Plan& plan) {
  Workspace workspace(0, *std::pmr::new_delete_resource());
  std::map<std::uint64_t, int> checksums;
  bool compared = false;
  for (const auto& table : {tables.partitioned, tables.flat, tables.narrow}) {
    for (const Mode mode : {Mode::k36, Mode::k40}) {
      for (const bool use_index : {false, true}) {
        for (ThreadPool* pool : pools()) {
          const auto result =
              execute(*table, plan, {mode, use_index, nullptr, nullptr}, *pool, workspace);
          REQUIRE(result.ok());
          ++checksums[checksum(*result)];
          if (!compared)
            REQUIRE(first_difference(to_plain(*result), run_by_rows(*tables.partitioned, plan)) ==
                    kNoDifference);
          compared = true;
        }
      }
    }
  }
  for (const std::size_t ranks : {2U, 3U}) {
    if (groups_by_lists(plan, tables.partitioned->schema())) break;
    const auto result = testing::execute_by_ranks(*tables.partitioned, plan, {}, ranks,
                                                  testing::Sharing::kRoundRobin, workspace);
    REQUIRE(result.ok());
    ++checksums[checksum(*result)];
  }
  REQUIRE(checksums.size() == 1);
  REQUIRE(workspace.used_bytes() == 0);
}

}  // namespace

TEST_CASE("random small tables and plans agree with the row-at-a-time reference on every axis") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const RandomTables tables = random_tables(random, 300);
    for (int i = 0; i < 5; ++i) {
      const Plan plan = random_plan(random, tables.partitioned->schema());
      INFO("seed " << seed << " plan " << i << ": "
                   << describe(plan, tables.partitioned->schema()));
      check_plan(tables, plan);
    }
  }
}

TEST_CASE("tables of several morsels agree with the row-at-a-time reference on every axis") {
  for (std::uint64_t seed = 1001; seed <= 1003; ++seed) {
    Random random(seed);
    const RandomTables tables = random_tables(random, 30000);
    for (int i = 0; i < 3; ++i) {
      const Plan plan = random_plan(random, tables.partitioned->schema());
      INFO("seed " << seed << " plan " << i << " by " << (plan.by.empty() ? "" : plan.by[0].name)
                   << " " << (plan.by.size() < 2 ? "" : plan.by[1].name));
      check_plan(tables, plan);
    }
  }
}
