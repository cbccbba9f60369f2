// q-SQL: parsed, bound to a table with a column of every type, executed on every axis with the same
// answer, and printed. At exit the share of inputs that parsed is printed.
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <utility>

#include "bench/base/layers.h"
#include "bench/kdb/kdb_memory.h"
#include "bench/query_output/print_result.h"
#include "engine/column/memory_table.h"
#include "engine/exec/execute.h"
#include "engine/exec/explain.h"
#include "queries/query.h"
#include "tests/fuzz/fuzz_input.h"

namespace hdbench::fuzz {
using namespace bench;
using namespace pmem;
using namespace queries;
namespace {

struct Counts {
  ~Counts() {
    if (inputs == 0) return;
    std::fprintf(stderr, "query: %zu inputs, %zu parsed (%.1f %%), %zu answered\n", inputs, parsed,
                 100 * static_cast<double>(parsed) / static_cast<double>(inputs), answered);
  }
  std::size_t inputs = 0;
  std::size_t parsed = 0;
  std::size_t answered = 0;
};

Counts& counts() {
  static Counts all;
  return all;
}

// Null, infinities, their neighbours, and small numbers.
template <typename T>
Column integers(QType type, std::size_t rows) {
  using Limits = std::numeric_limits<T>;
  const std::array<T, 10> values = {T{0},
                                    T{1},
                                    T{2},
                                    T{7},
                                    Limits::min(),
                                    Limits::max(),
                                    T(Limits::min() + 2),
                                    T(100),
                                    T(Limits::max() - 1),
                                    T(Limits::min() + 1)};
  std::vector<T> data(rows);
  for (std::size_t row = 0; row < rows; ++row) data[row] = values[(row * 7 + 3) % values.size()];
  return make_column<T>(type, data);
}

template <typename T>
Column floats(QType type, std::size_t rows) {
  using Limits = std::numeric_limits<T>;
  const std::array<T, 10> values = {
      T(0),          T(-0.0),           Limits::quiet_NaN(), T(1.5),
      Limits::max(), Limits::lowest(),  Limits::min(),       Limits::denorm_min(),
      T(99.25),      Limits::infinity()};
  std::vector<T> data(rows);
  for (std::size_t row = 0; row < rows; ++row) data[row] = values[(row * 3 + 1) % values.size()];
  return make_column<T>(type, data);
}

const std::shared_ptr<const Domain>& symbols() {
  static const auto domain = make_domain("sym", {"val1", "val2", "val3", "", "other"});
  return domain;
}

template <typename Code>
Column codes(std::size_t rows, bool is_parted) {
  std::vector<Code> data(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    data[row] = static_cast<Code>(is_parted ? row * symbols()->stored_size() / rows : row * 3 % 5);
  }
  Column column = make_column<Code>(QType::kSymbol, data, symbols());
  if (!is_parted) return column;
  column.attribute = Attribute::kParted;
  column.index = std::make_shared<PartedIndex>(*make_parted_index(column));
  return column;
}

Column texts(std::size_t rows) {
  static const char kText[] = "abc a*c alpha ?";
  std::vector<NestedCell> cells(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto begin = row % 8;
    const auto kind = static_cast<std::uint8_t>(QType::kChar);
    cells[row] = {reinterpret_cast<const std::byte*>(kText) + begin,
                  static_cast<std::uint32_t>(row % 7), kind, false, 0};
  }
  return make_column<NestedCell>(QType::kNested, cells);
}

Column guids(std::size_t rows) {
  struct Words {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
  };
  std::vector<Words> data(rows);
  for (std::size_t row = 0; row < rows; ++row) data[row] = {row % 3, row % 2};
  return make_column<Words>(QType::kGuid, data);
}

Column bytes(QType type, std::size_t rows, std::string_view values) {
  std::vector<std::uint8_t> data(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    data[row] = static_cast<std::uint8_t>(values[row % values.size()]);
  }
  return make_column<std::uint8_t>(type, data);
}

using Named = std::pair<std::string, Column>;

std::vector<Named> columns_of(std::size_t rows) {
  using std::string_view_literals::operator""sv;
  return {{"time", integers<std::int32_t>(QType::kTime, rows)},
          {"col1", codes<std::uint8_t>(rows, false)},
          {"col2", codes<std::int64_t>(rows, false)},
          {"col3", codes<std::int32_t>(rows, rows > 0)},
          {"bid", floats<double>(QType::kFloat, rows)},
          {"bsize", integers<std::int64_t>(QType::kLong, rows)},
          {"bx", bytes(QType::kBoolean, rows, "\0\1\1"sv)},
          {"gx", guids(rows)},
          {"xx", bytes(QType::kByte, rows, "\0\1\x7f\x80\xff"sv)},
          {"hx", integers<std::int16_t>(QType::kShort, rows)},
          {"ix", integers<std::int32_t>(QType::kInt, rows)},
          {"ex", floats<float>(QType::kReal, rows)},
          {"cx", bytes(QType::kChar, rows, "ab \xff\""sv)},
          {"px", integers<std::int64_t>(QType::kTimestamp, rows)},
          {"mx", integers<std::int32_t>(QType::kMonth, rows)},
          {"dx", integers<std::int32_t>(QType::kDate, rows)},
          {"zx", floats<double>(QType::kDatetime, rows)},
          {"nx", integers<std::int64_t>(QType::kTimespan, rows)},
          {"ux", integers<std::int32_t>(QType::kMinute, rows)},
          {"vx", integers<std::int32_t>(QType::kSecond, rows)},
          {"text", texts(rows)}};
}

MemoryTable make_table() {
  constexpr std::int64_t kFirstDay = 7300;
  constexpr std::array<std::size_t, 3> kRows = {5, 0, 70};
  Schema schema;
  schema.partitioned = true;
  schema.fields.push_back({"date", QType::kDate, Attribute::kNone, nullptr});
  for (const auto& [name, column] : columns_of(1)) {
    schema.fields.push_back({name, column.type, Attribute::kNone, column.domain});
  }
  std::vector<MemoryTable::Part> parts;
  for (const std::size_t rows : kRows) {
    MemoryTable::Part part;
    part.partition_value = kFirstDay + static_cast<std::int64_t>(parts.size());
    for (auto& [name, column] : columns_of(rows)) part.columns.push_back(std::move(column));
    parts.push_back(std::move(part));
  }
  return {"quote", std::move(schema), std::move(parts)};
}

void print(const ResultTable& result) {
  TextSink sink([](std::string_view) -> Result<bool> { return true; });
  print_csv(result, sink);
  print_json(result, "", sink);
  print_table(result, 10, 40, sink);
  require(sink.finish().ok(), "the answer is printed");
}

// The answer's checksum, 0 where a limit ended it.
std::uint64_t answer_on(const Table& table, const Plan& plan, Mode mode, bool use_index) {
  static ThreadPool pool(1);
  constexpr std::uint64_t kLimit = std::uint64_t{64} << 20;
  Workspace workspace(kLimit, *std::pmr::new_delete_resource());
  ExecuteSettings settings;
  settings.mode = mode;
  settings.use_index = use_index;
  const auto result = execute(table, plan, settings, pool, workspace);
  if (!result.ok()) return 0;
  if (mode == Mode::k40 && use_index) print(*result);
  return checksum(*result);
}

}  // namespace

void run_query(Bytes input) {
  static const MemoryTable table = make_table();
  ++counts().inputs;
  const std::string_view text = as_text(input);
  const auto query = parse_query(text);
  if (!query.ok()) {
    const auto caret = query.error().caret;
    require(!caret || *caret <= text.size(), "a caret stands in the text");
    return;
  }
  ++counts().parsed;
  const FindTable find = [](const std::string&) -> Result<const Table*> { return &table; };
  const auto bound = bind(*query, {find, {"quote", "trade"}});
  if (!bound.ok()) {
    const auto caret = bound.error().caret;
    require(!caret || *caret <= text.size(), "a caret stands in the text");
    return;
  }
  const Plan& plan = *bound->plan;
  require(!to_text(explain(table, plan, {})).empty(), "an explanation");
  const KdbSteps steps = guess_steps(plan, bound->table != nullptr, {75, 3, 40, 5});
  const KdbPeaks peaks = kdb_memory(bound->table, plan, steps, {}).peaks;
  require(peaks.used > 0 && peaks.used <= peaks.least_limit && peaks.least_limit <= peaks.heap,
          "a heap holds what is used");
  const std::uint64_t first = answer_on(table, plan, Mode::k40, true);
  // One of the other ways, by the text's length: three would take most of the time.
  if (text.size() % 2 == 0) {
    require(first == answer_on(table, plan, Mode::k36, true), "mode 3.6 gives the same answer");
  } else {
    require(first == answer_on(table, plan, Mode::k40, false), "and so it is without the index");
  }
  ++counts().answered;
}

}  // namespace hdbench::fuzz
