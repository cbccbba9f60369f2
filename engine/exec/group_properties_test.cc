// Grouped queries drawn at random on every axis, against the row-at-a-time reference: of tables of
// many groups the reference has the rows of some of them. And what a limit of the workspace does.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory_resource>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"
#include "engine/exec/execute.h"
#include "engine/operator/aggregator.h"
#include "engine/testing/plain_aggregates.h"
#include "engine/testing/row_reference.h"

using namespace hdbench;

namespace {

using RowNumbers = std::vector<std::uint64_t>;

// Fields of what is drawn: the date comes before them.
constexpr std::size_t kPick = 1, kRow = 2, kFirstKey = 3;
constexpr std::size_t kParts = 3;

// kSymbol: of a large domain, the groups' codes far apart; kFewSymbols: of a domain of no more
// symbols than there are groups.
enum class KeyKind { kSymbol, kFewSymbols, kLong, kTime, kGuid };
constexpr KeyKind kKeyKinds[] = {KeyKind::kSymbol, KeyKind::kFewSymbols, KeyKind::kLong,
                                 KeyKind::kTime, KeyKind::kGuid};

struct ValueField {
  QType type = QType::kLong;
  bool is_wide = false;  // a long of any magnitude: sums wrap, and squares are beyond the reference
};
constexpr QType kValueTypes[] = {
    QType::kBoolean, QType::kByte,   QType::kShort,    QType::kInt,      QType::kLong,
    QType::kReal,    QType::kFloat,  QType::kChar,     QType::kMonth,    QType::kDate,
    QType::kTime,    QType::kMinute, QType::kSecond,   QType::kTimespan, QType::kTimestamp,
    QType::kGuid,    QType::kSymbol, QType::kDatetime, QType::kNested};

// Everything that a table and its plan are made of; each row is a function of its number.
struct Drawn {
  std::uint64_t seed = 0;
  std::size_t groups = 0;
  std::uint64_t rows = 0;
  std::vector<KeyKind> keys;
  std::vector<ValueField> values;
  std::uint64_t nulls = 0;  // of 64 values
  int percent = 100;
  bool is_partitioned = false;
  bool is_sorted = false;     // rows of a group lie together
  bool picks_blocks = false;  // selected rows lie together
  Mode mode = Mode::k40;
  std::uint64_t sample = 1;  // one of so many groups is held against the reference
};

std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

std::uint64_t hash_of(const Drawn& drawn, std::size_t field, std::uint64_t row) {
  return mix(mix(drawn.seed * 64 + field) + row);
}

std::uint64_t group_of(const Drawn& drawn, std::uint64_t row) {
  if (drawn.is_sorted) return row * drawn.groups / drawn.rows;
  return row < drawn.groups ? row : hash_of(drawn, kFirstKey, row) % drawn.groups;
}

int pick_of(const Drawn& drawn, std::uint64_t row) {
  constexpr std::uint64_t kBlockRows = 500;
  return static_cast<int>(hash_of(drawn, kPick, drawn.picks_blocks ? row / kBlockRows : row) % 100);
}

bool is_sampled(const Drawn& drawn, std::uint64_t group) { return mix(group) % drawn.sample == 0; }

// The first of two keys has a sixteenth of the groups' values, the second sixteen.
std::uint64_t key_number(const Drawn& drawn, std::size_t key, std::uint64_t row) {
  const std::uint64_t group = group_of(drawn, row);
  if (drawn.keys.size() == 1) return group;
  return key == 0 ? group / 16 : group % 16;
}

std::shared_ptr<const Domain> domain_of(std::size_t size) {
  static std::vector<std::shared_ptr<const Domain>> domains;
  for (const auto& domain : domains) {
    if (domain->stored_size() == size) return domain;
  }
  std::vector<std::string> texts;
  for (std::size_t code = 0; code < size; ++code)
    texts.push_back(fmt::format("{:x}", code * 2654435761 % (std::size_t{1} << 32)));
  domains.push_back(make_domain("sym", std::move(texts)));
  return domains.back();
}

// Prime numbers, so that codes far apart are all different.
std::shared_ptr<const Domain> domain_of(const Drawn& drawn, KeyKind kind) {
  if (kind == KeyKind::kFewSymbols) return domain_of(std::max<std::size_t>(drawn.groups, 16));
  return domain_of(drawn.groups < 100003 ? 100003 : 1000003);
}

struct DrawnGuid {
  std::uint64_t words[2];
};

template <typename T, typename Make>
Column column_of(QType type, const RowNumbers& rows, const Make& make,
                 std::shared_ptr<const Domain> domain = nullptr) {
  std::vector<T> values;
  values.reserve(rows.size());
  for (const std::uint64_t row : rows) values.push_back(static_cast<T>(make(row)));
  return make_column<T>(type, values, std::move(domain));
}

QType type_of(KeyKind kind) {
  switch (kind) {
    case KeyKind::kLong: return QType::kLong;
    case KeyKind::kTime: return QType::kTime;
    case KeyKind::kGuid: return QType::kGuid;
    case KeyKind::kSymbol:
    case KeyKind::kFewSymbols: break;
  }
  return QType::kSymbol;
}

Column key_column(const Drawn& drawn, std::size_t key, const RowNumbers& rows) {
  const KeyKind kind = drawn.keys[key];
  const auto number = [&](std::uint64_t row) { return key_number(drawn, key, row); };
  switch (kind) {
    case KeyKind::kLong:
      return column_of<std::int64_t>(QType::kLong, rows, [&](std::uint64_t row) {
        return number(row) == 1 ? std::uint64_t{1} << 63 : number(row) * 0x9E3779B97F4A7C15;
      });
    case KeyKind::kTime:
      return column_of<std::int32_t>(QType::kTime, rows, [&](std::uint64_t row) {
        return number(row) == 1 ? kNullInt : std::int64_t(number(row) * 7919 % 86400000);
      });
    case KeyKind::kGuid:
      return column_of<DrawnGuid>(QType::kGuid, rows, [&](std::uint64_t row) {
        return DrawnGuid{{mix(number(row) / 3), mix(number(row))}};
      });
    case KeyKind::kSymbol:
    case KeyKind::kFewSymbols: break;
  }
  const auto domain = domain_of(drawn, kind);
  const auto code = [&](std::uint64_t row) { return number(row) * 7919 % domain->stored_size(); };
  const auto few = [&](std::uint64_t row) { return number(row); };
  if (kind == KeyKind::kSymbol && drawn.seed % 2 == 0)
    return column_of<std::int64_t>(QType::kSymbol, rows, code, domain);
  if (kind == KeyKind::kSymbol) return column_of<std::int32_t>(QType::kSymbol, rows, code, domain);
  if (domain->stored_size() <= 256 && drawn.seed % 2 == 0)
    return column_of<std::uint8_t>(QType::kSymbol, rows, few, domain);
  return column_of<std::int32_t>(QType::kSymbol, rows, few, domain);
}

template <typename T>
Column integers(const Drawn& drawn, std::size_t v, const RowNumbers& rows) {
  const ValueField field = drawn.values[v];
  return column_of<T>(field.type, rows, [&](std::uint64_t row) {
    const std::uint64_t hash = hash_of(drawn, 16 + v, row);
    const std::uint64_t value = mix(hash);
    if (field.type == QType::kBoolean) return static_cast<T>(value % 2);
    if (sizeof(T) > 1 && hash % 64 < drawn.nulls) return std::numeric_limits<T>::min();
    if (sizeof(T) == 2) return static_cast<T>(value % 2001 - 1000);
    return static_cast<T>(field.is_wide || sizeof(T) == 1 ? value : value % 2000001 - 1000000);
  });
}

// Prices in cents, reals in eighths; a few infinities and zeros of either sign.
template <typename T>
Column floats(const Drawn& drawn, std::size_t v, const RowNumbers& rows) {
  const QType type = drawn.values[v].type;
  return column_of<T>(type, rows, [&](std::uint64_t row) {
    const std::uint64_t hash = hash_of(drawn, 16 + v, row);
    const std::uint64_t value = mix(hash);
    if (hash % 64 < drawn.nulls) return std::numeric_limits<T>::quiet_NaN();
    if (value % 1000 < 2) return (value % 2 == 0 ? 1 : -1) * std::numeric_limits<T>::infinity();
    if (value % 1000 < 20) return (value % 2 == 0 ? 1 : -1) * T{0};
    return static_cast<T>((value >> 32) % 100000) / (type == QType::kReal ? T{8} : T{100});
  });
}

Column value_column(const Drawn& drawn, std::size_t v, const RowNumbers& rows) {
  static const char kNotes[] = "alpha beta gamma";
  const QType type = drawn.values[v].type;
  const auto hash = [&](std::uint64_t row) { return hash_of(drawn, 16 + v, row); };
  switch (type) {
    case QType::kReal: return floats<float>(drawn, v, rows);
    case QType::kFloat:
    case QType::kDatetime: return floats<double>(drawn, v, rows);
    case QType::kSymbol:
      return column_of<std::uint8_t>(
          type, rows, [&](std::uint64_t row) { return hash(row) % 16; }, domain_of(16));
    case QType::kGuid:
      return column_of<DrawnGuid>(type, rows,
                                  [&](std::uint64_t row) { return DrawnGuid{{hash(row), row}}; });
    case QType::kNested:
      return column_of<NestedCell>(type, rows, [&](std::uint64_t row) {
        return NestedCell{reinterpret_cast<const std::byte*>(kNotes) + hash(row) % 11,
                          static_cast<std::uint32_t>(hash(row) >> 32) % 5, 10, false, 0};
      });
    default: break;
  }
  switch (type_width(type)) {
    case 1: return integers<std::uint8_t>(drawn, v, rows);
    case 2: return integers<std::int16_t>(drawn, v, rows);
    case 4: return integers<std::int32_t>(drawn, v, rows);
    default: return integers<std::int64_t>(drawn, v, rows);
  }
}

Schema schema_of(const Drawn& drawn) {
  Schema schema;
  schema.partitioned = drawn.is_partitioned;
  const auto add = [&](std::string name, QType type, std::shared_ptr<const Domain> domain) {
    schema.fields.push_back({std::move(name), type, Attribute::kNone, std::move(domain)});
  };
  add("date", QType::kDate, nullptr);
  add("pick", QType::kInt, nullptr);
  add("row", QType::kLong, nullptr);
  for (const KeyKind kind : drawn.keys) {
    const QType type = type_of(kind);
    add(fmt::format("k{}", schema.fields.size()), type,
        type == QType::kSymbol ? domain_of(drawn, kind) : nullptr);
  }
  for (const ValueField& field : drawn.values) {
    add(fmt::format("v{}", schema.fields.size()), field.type,
        field.type == QType::kSymbol ? domain_of(16) : nullptr);
  }
  return schema;
}

std::shared_ptr<Table> table_of(const Drawn& drawn, const RowNumbers& rows) {
  const auto part_of = [&](std::uint64_t row) { return row * kParts / drawn.rows; };
  std::vector<MemoryTable::Part> parts;
  for (std::size_t p = 0; p < (drawn.is_partitioned ? kParts : 1); ++p) {
    RowNumbers its_rows;
    for (const std::uint64_t row : rows) {
      if (!drawn.is_partitioned || part_of(row) == p) its_rows.push_back(row);
    }
    MemoryTable::Part part;
    part.partition_value = static_cast<std::int64_t>(p);
    if (!drawn.is_partitioned)
      part.columns.push_back(column_of<std::int32_t>(QType::kDate, its_rows, part_of));
    part.columns.push_back(column_of<std::int32_t>(
        QType::kInt, its_rows, [&](std::uint64_t row) { return pick_of(drawn, row); }));
    part.columns.push_back(
        column_of<std::int64_t>(QType::kLong, its_rows, [](std::uint64_t row) { return row; }));
    for (std::size_t key = 0; key < drawn.keys.size(); ++key)
      part.columns.push_back(key_column(drawn, key, its_rows));
    for (std::size_t v = 0; v < drawn.values.size(); ++v)
      part.columns.push_back(value_column(drawn, v, its_rows));
    parts.push_back(std::move(part));
  }
  return std::make_shared<MemoryTable>("t", schema_of(drawn), std::move(parts));
}

RowNumbers all_rows(const Drawn& drawn) {
  RowNumbers rows(drawn.rows);
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

RowNumbers sampled_rows(const Drawn& drawn) {
  RowNumbers rows = all_rows(drawn);
  std::erase_if(rows, [&](std::uint64_t row) { return !is_sampled(drawn, group_of(drawn, row)); });
  return rows;
}

bool is_of_products(Aggregate aggregate) {
  return takes_two(aggregate) || aggregate == Aggregate::kDev || aggregate == Aggregate::kVar ||
         aggregate == Aggregate::kSampleVar || aggregate == Aggregate::kSampleDev;
}

bool takes(Aggregate aggregate, ValueField field) {
  if (field.is_wide && is_of_products(aggregate)) return false;
  return aggregate_takes(aggregate, field.type);
}

// A field and 1, in the field's place: whatever its type is, as many values are distinct.
std::size_t computed_of(const Schema& schema, std::size_t field, Plan& plan) {
  const QType type = schema.fields[field].type;
  ExpressionNode one{Operation::kConstant, type, {}, 0, {std::byte{1}}, {}, {}};
  if (is_floating(type)) one.constant = {};
  plan.computed.push_back({"computed",
                           {{{Operation::kField, type, {}, field, {}, {}, {}},
                             one,
                             {Operation::kAdd, type, {0, 1, 0}, 0, {}, {}, {}}}}});
  return schema.fields.size() + plan.computed.size() - 1;
}

bool may_compute(const Schema& schema, std::size_t field) {
  const QType type = schema.fields[field].type;
  return type_width(type) >= 2 && type_width(type) <= 8 && type != QType::kSymbol;
}

// The count, a row of the group, and each aggregate of a value that it takes. Some keys and values
// are computed.
Plan plan_of(const Drawn& drawn) {
  std::mt19937_64 random(drawn.seed);
  Plan plan;
  const std::size_t first_value = kFirstKey + drawn.keys.size();
  const Schema schema = schema_of(drawn);
  for (std::size_t key = 0; key < drawn.keys.size(); ++key) {
    const std::size_t field = kFirstKey + key;
    const bool is_computed = may_compute(schema, field) && random() % 2 == 0;
    plan.by.push_back(
        {fmt::format("k{}", key), is_computed ? computed_of(schema, field, plan) : field});
  }
  if (drawn.percent < 100 || random() % 2 == 0)
    plan.where.push_back({"c", kPick, RangeTest{0, drawn.percent - 1}, false});
  plan.outputs.push_back({"x", Aggregate::kCount, std::nullopt, std::nullopt});
  plan.outputs.push_back({"row", Aggregate::kFirst, kRow, std::nullopt});
  for (auto a = static_cast<int>(Aggregate::kCount);
       a <= static_cast<int>(Aggregate::kCountDistinct); ++a) {
    const auto aggregate = static_cast<Aggregate>(a);
    if (aggregate == Aggregate::kAny || aggregate == Aggregate::kAll) continue;
    std::size_t v = random() % drawn.values.size();
    while (!takes(aggregate, drawn.values[v])) v = (v + 1) % drawn.values.size();
    Output output{fmt::format("o{}", a), aggregate, first_value + v, std::nullopt};
    if (takes_two(aggregate)) output.weights = first_value;
    if (may_compute(schema, first_value + v) && random() % 4 == 0)
      output.field = computed_of(schema, first_value + v, plan);
    plan.outputs.push_back(output);
  }
  std::shuffle(plan.outputs.begin() + 2, plan.outputs.end(), random);
  return plan;
}

// Those of a result that are of sampled groups.
ResultTable sampled_of(const Drawn& drawn, const ResultTable& whole) {
  const std::byte* const first_rows = whole.columns[drawn.keys.size() + 1].buffer.data();
  std::vector<std::uint64_t> taken;
  bool are_rows = true;
  for (std::uint64_t r = 0; r < whole.rows; ++r) {
    std::uint64_t row = 0;
    std::memcpy(&row, first_rows + r * sizeof(row), sizeof(row));
    const bool is_row = drawn.keys.empty() || row < drawn.rows;
    are_rows = are_rows && is_row;
    if (drawn.keys.empty() || (is_row && is_sampled(drawn, group_of(drawn, row))))
      taken.push_back(r);
  }
  REQUIRE(are_rows);
  ResultTable some;
  some.rows = taken.size();
  some.key_count = whole.key_count;
  for (const ResultColumn& column : whole.columns) {
    ResultColumn copy{column.name, column.type, column.width,
                      Buffer(*std::pmr::new_delete_resource(), taken.size() * column.width),
                      column.domain};
    for (std::size_t i = 0; i < taken.size(); ++i) {
      std::memcpy(copy.buffer.data() + i * column.width,
                  column.buffer.data() + taken[i] * column.width, column.width);
    }
    some.columns.push_back(std::move(copy));
  }
  return some;
}

std::uint64_t selected_groups(const Drawn& drawn) {
  if (drawn.keys.empty()) return 1;
  std::vector<std::uint8_t> met(drawn.groups);
  for (std::uint64_t row = 0; row < drawn.rows; ++row) {
    if (pick_of(drawn, row) < drawn.percent) met[group_of(drawn, row)] = 1;
  }
  return std::accumulate(met.begin(), met.end(), std::uint64_t{0});
}

std::string describe_drawn(const Drawn& drawn, const Plan& plan) {
  std::string text = fmt::format(
      "seed {}: {} groups, {} rows{}{}{}, mode {}, {} nulls of 64, {} percent, where {}, by",
      drawn.seed, drawn.groups, drawn.rows, drawn.is_partitioned ? " in parts" : "",
      drawn.is_sorted ? " sorted" : "", drawn.picks_blocks ? " picked by blocks" : "",
      drawn.mode == Mode::k40 ? "4.0" : "3.6", drawn.nulls, drawn.percent, plan.where.size());
  for (const KeyKind kind : drawn.keys) text += fmt::format(" kind {}", static_cast<int>(kind));
  for (const Output& output : plan.outputs) {
    if (!output.field) continue;
    text += fmt::format(", {}: aggregate {} of field {}", output.name,
                        static_cast<int>(output.aggregate), *output.field);
  }
  for (const ValueField& field : drawn.values)
    text += fmt::format(" {}{}", field.is_wide ? "wide " : "", type_name(field.type));
  return text;
}

Drawn draw(std::uint64_t seed, std::size_t groups, int percent) {
  std::mt19937_64 random(seed * 7 + groups);
  Drawn drawn;
  drawn.seed = seed;
  drawn.groups = groups;
  drawn.percent = percent;
  drawn.rows = groups == 0 ? 0 : groups < 1000 ? 20000 : groups + groups / 8;
  drawn.sample = groups < 100 ? 1 : groups < 1000 ? 16 : groups / 100;
  const std::size_t keys = groups == 1 && random() % 2 == 0 ? 0 : 1 + random() % 2;
  for (std::size_t key = 0; key < keys; ++key)
    drawn.keys.push_back(kKeyKinds[random() % std::size(kKeyKinds)]);
  constexpr QType kWeights[] = {QType::kLong, QType::kFloat, QType::kInt, QType::kReal};
  drawn.values = {{kWeights[random() % 4], false}, {QType::kLong, true}};
  for (int i = 0; i < 4; ++i)
    drawn.values.push_back({kValueTypes[random() % std::size(kValueTypes)], false});
  drawn.nulls = std::array<std::uint64_t, 4>{0, 4, 60, 64}[random() % 4];
  drawn.is_partitioned = random() % 2 == 0;
  drawn.is_sorted = random() % 4 == 0;
  drawn.picks_blocks = random() % 2 == 0;
  drawn.mode = random() % 4 == 0 ? Mode::k36 : Mode::k40;
  return drawn;
}

struct Pools {
  ThreadPool one{1};
  ThreadPool two{2};
};

void check_drawn(const Drawn& drawn, const Plan& plan, Pools& pools) {
  INFO(describe_drawn(drawn, plan));
  const auto table = table_of(drawn, all_rows(drawn));
  const auto some = drawn.sample == 1 ? table : table_of(drawn, sampled_rows(drawn));
  const PlainResult expected = run_by_rows(*some, plan);
  const std::uint64_t groups = selected_groups(drawn);
  for (ThreadPool* const pool : {&pools.one, &pools.two}) {
    INFO(pool->size() << " threads");
    Workspace workspace(0, *std::pmr::new_delete_resource());
    {
      const auto result = execute(*table, plan, {.mode = drawn.mode}, *pool, workspace);
      REQUIRE(result.ok());
      REQUIRE(result->rows == groups);
      REQUIRE(first_difference(to_plain(sampled_of(drawn, *result)), expected) == kNoDifference);
    }
    REQUIRE(workspace.used_bytes() == 0);
  }
}

void check_drawn(const Drawn& drawn, Pools& pools) { check_drawn(drawn, plan_of(drawn), pools); }

bool are_same_bytes(const ResultTable& a, const ResultTable& b) {
  if (a.rows != b.rows || a.columns.size() != b.columns.size()) return false;
  for (std::size_t c = 0; c < a.columns.size(); ++c) {
    const std::size_t bytes = a.rows * a.columns[c].width;
    if (a.columns[c].width != b.columns[c].width) return false;
    if (bytes == 0) continue;
    if (std::memcmp(a.columns[c].buffer.data(), b.columns[c].buffer.data(), bytes) != 0)
      return false;
  }
  return true;
}

// A query, what it gives without a limit, and what one thread needs for it.
struct Measured {
  std::shared_ptr<Table> table;
  Plan plan;
  Workspace workspace{0, *std::pmr::new_delete_resource()};
  std::optional<ResultTable> result;
  std::uint64_t need = 0;

  Measured(const Drawn& drawn, ThreadPool& one)
      : table(table_of(drawn, all_rows(drawn))), plan(plan_of(drawn)) {
    if (drawn.groups > 1000) plan.outputs.resize(4);  // many exact sums take their time
    auto found = execute(*table, plan, {.mode = drawn.mode}, one, workspace);
    REQUIRE(found.ok());
    result.emplace(std::move(*found));
    need = workspace.peak_bytes();
  }
};

// One thread's need is the same at every run; two may need less or more.
void check_limit(const Measured& query, std::uint64_t limit, ThreadPool& pool) {
  INFO("limit " << limit << " of " << query.need << ", " << pool.size() << " threads");
  Workspace limited(limit, *std::pmr::new_delete_resource());
  {
    const auto stopped = execute(*query.table, query.plan, {}, pool, limited);
    REQUIRE((pool.size() == 2 || !stopped.ok()));
    if (stopped.ok()) REQUIRE(are_same_bytes(*stopped, *query.result));
    if (!stopped.ok()) REQUIRE(stopped.error().kind == ErrorKind::kLimit);
  }
  REQUIRE(limited.used_bytes() == 0);
  Workspace unlimited(0, *std::pmr::new_delete_resource());
  const auto next = execute(*query.table, query.plan, {}, pool, unlimited);
  REQUIRE(next.ok());
  REQUIRE(are_same_bytes(*next, *query.result));
}

void check_spill(const Measured& query, std::uint64_t limit, ThreadPool& pool) {
  INFO("limit " << limit << " of " << query.need << ", " << pool.size() << " threads");
  Workspace limited(limit, *std::pmr::new_delete_resource(), std::pmr::new_delete_resource());
  {
    const auto spilled = execute(*query.table, query.plan, {}, pool, limited);
    REQUIRE(spilled.ok());
    REQUIRE((pool.size() == 2 || limited.spilled_bytes() > 0));
    REQUIRE(are_same_bytes(*spilled, *query.result));
  }
  REQUIRE(limited.used_bytes() == 0);
}

// Of each kind of key: a query that has one in its by.
template <typename Check>
void for_each_limit(std::size_t groups, std::uint64_t steps, const Check& check) {
  Pools pools;
  for (const KeyKind kind : kKeyKinds) {
    Drawn drawn = draw(static_cast<std::uint64_t>(kind) + 1, groups, 100);
    drawn.keys.assign(1 + static_cast<std::size_t>(kind) % 2, kind);
    drawn.mode = Mode::k40;
    const Measured query(drawn, pools.one);
    INFO(describe_drawn(drawn, query.plan));
    for (std::uint64_t step = 1; step <= steps; ++step) {
      // The last one is a byte less than the need.
      const std::uint64_t limit = (query.need - 1) * step / steps;
      check(query, limit, pools.one);
      check(query, limit, pools.two);
    }
  }
}

}  // namespace

TEST_CASE("grouped queries agree with the reference whatever is drawn") {
  Pools pools;
  for (const int percent : {0, 1, 10, 50, 90, 100}) {
    for (const std::size_t groups : {0, 1, 2, 255, 256, 4097}) {
      for (std::uint64_t seed = 1; seed <= 3; ++seed)
        check_drawn(draw(seed + static_cast<std::uint64_t>(percent) * 10, groups, percent), pools);
    }
  }
}

TEST_CASE("grouped queries of many groups agree with the reference whatever is drawn") {
  Pools pools;
  for (const int percent : {0, 1, 10, 50, 90, 100})
    check_drawn(draw(1 + static_cast<std::uint64_t>(percent) * 10, 65537, percent), pools);
}

TEST_CASE("a million groups agree with the reference") {
  Pools pools;
  std::uint64_t seed = 0;
  for (const auto& keys : std::vector<std::vector<KeyKind>>{
           {KeyKind::kSymbol}, {KeyKind::kGuid}, {KeyKind::kLong, KeyKind::kTime}}) {
    ++seed;
    Drawn drawn = draw(seed, 1000000, seed % 2 == 0 ? 50 : 100);
    drawn.keys = keys;
    Plan plan = plan_of(drawn);
    // Millions of exact sums take their time; they are alike from 4097 groups on.
    std::erase_if(plan.outputs,
                  [](const Output& output) { return is_of_products(output.aggregate); });
    plan.outputs.resize(5);
    check_drawn(drawn, plan, pools);
  }
}

TEST_CASE("a limit below need is an error, all is given back, and the next query is right") {
  for_each_limit(256, 8, check_limit);
  for_each_limit(65537, 4, check_limit);
}

TEST_CASE("what is spilled changes no byte of a result") {
  for_each_limit(256, 4, check_spill);
  for_each_limit(65537, 1, check_spill);
}

TEST_CASE("values of several widths keep their places when groups are many") {
  Pools pools;
  for (const int percent : {50, 100}) {
    for (const QType narrow : {QType::kByte, QType::kShort, QType::kInt}) {
      Drawn drawn;
      drawn.seed = 1;
      drawn.groups = 20000;
      drawn.rows = 20001;
      drawn.percent = percent;
      drawn.keys = {KeyKind::kLong};
      drawn.values = {{narrow, false}, {QType::kLong, false}};
      drawn.sample = 200;
      Plan plan;
      plan.by = {{"k", kFirstKey}};
      plan.where = {{"c", kPick, RangeTest{0, percent - 1}, false}};
      plan.outputs = {{"x", Aggregate::kCount, std::nullopt, std::nullopt},
                      {"row", Aggregate::kFirst, kRow, std::nullopt},
                      {"narrow", Aggregate::kMax, kFirstKey + 1, std::nullopt},
                      {"wide", Aggregate::kMax, kFirstKey + 2, std::nullopt}};
      check_drawn(drawn, plan, pools);
    }
  }
}
