// What is read ahead, and in which order: against the bytes of tables made here.
#include "engine/exec/prefetch_plan.h"

#include <map>
#include <string>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"

using namespace hdbench;

namespace {

constexpr std::size_t kPlanDate = 0;
constexpr std::size_t kPlanSym = 1;
constexpr std::size_t kPlanSize = 2;
constexpr std::uint64_t kPlanRows = 10 * kMorselRows + 5;

// Days of kRows rows each: sym parted, the first half "a", the second "b".
std::shared_ptr<Table> days(std::size_t count) {
  const auto domain = make_domain("sym", {"a", "b"});
  Schema schema;
  schema.partitioned = true;
  schema.fields = {{"date", QType::kDate, Attribute::kNone, nullptr},
                   {"sym", QType::kSymbol, Attribute::kParted, domain},
                   {"size", QType::kLong, Attribute::kNone, nullptr}};
  std::vector<MemoryTable::Part> parts(count);
  std::vector<std::int64_t> codes(kPlanRows, 0);
  std::fill(codes.begin() + kPlanRows / 2, codes.end(), 1);
  for (std::size_t day = 0; day < count; ++day) {
    parts[day].partition_value = 7000 + static_cast<std::int64_t>(day);
    Column sym = make_column<std::int64_t>(QType::kSymbol, codes, domain);
    sym.attribute = Attribute::kParted;
    sym.index = std::make_shared<const PartedIndex>(*make_parted_index(sym));
    parts[day].columns = {sym, make_column<std::int64_t>(QType::kLong, codes)};
  }
  return std::make_shared<MemoryTable>("quote", schema, std::move(parts));
}

Plan select_three() {
  Plan plan;
  plan.outputs = {{"date", Aggregate::kNone, kPlanDate, {}},
                  {"sym", Aggregate::kNone, kPlanSym, {}},
                  {"size", Aggregate::kNone, kPlanSize, {}}};
  return plan;
}

Condition on_day(std::int64_t day) { return {"date", kPlanDate, RangeTest{day, day}, false}; }
Condition sym_is_b() { return {"sym=`b", kPlanSym, CodeTest{{0, 1}, {1}}, false}; }

struct Case {
  Case(std::shared_ptr<Table> table_in, Plan plan_in, std::size_t threads = 2,
       Mode mode = Mode::k40)
      : table(std::move(table_in)), plan(std::move(plan_in)), pool(threads), settings{mode} {
    auto made = make_query_input(*table, plan, context);
    REQUIRE(made.ok());
    input = std::move(*made);
  }
  PrefetchPlan outputs() const {
    return prefetch_plan(input, pool.size(), [&](std::size_t) { return output_fields(input); });
  }

  std::shared_ptr<Table> table;
  Plan plan;
  ThreadPool pool;
  ExecuteSettings settings;
  QueryContext context{settings, pool, *std::pmr::new_delete_resource()};
  QueryInput input;
};

// Bytes as an offset into the column that they lie in: "day 1 size 0+16".
std::map<std::string, std::uint64_t> bytes_by_column(const Case& one, const PrefetchPlan& plan) {
  std::map<std::string, std::uint64_t> bytes;
  std::vector<std::pair<const std::byte*, const std::byte*>> seen;
  for (const PrefetchBlock& block : plan.blocks) {
    const std::byte* begin = block.bytes.data();
    const std::byte* end = begin + block.bytes.size();
    for (const auto& [from, to] : seen) REQUIRE((end <= from || begin >= to));
    seen.emplace_back(begin, end);
    bool is_found = false;
    for (std::size_t part = 0; part < one.table->part_count(); ++part) {
      for (const std::size_t field : {kPlanSym, kPlanSize}) {
        const Column& column = **one.table->column(part, field);
        if (begin < column.data || end > column.data + column.bytes()) continue;
        is_found = true;
        bytes[std::to_string(part) + one.table->schema().fields[field].name] += block.bytes.size();
      }
    }
    REQUIRE(is_found);
  }
  return bytes;
}

}  // namespace

TEST_CASE("nothing is read ahead of a table without rows, or for no field") {
  const Case none(days(2), [] {
    Plan plan = select_three();
    plan.where = {on_day(1)};
    return plan;
  }());
  CHECK(none.outputs().blocks.empty());
  const Case all(days(1), select_three());
  const PrefetchPlan plan =
      prefetch_plan(all.input, 2, [](std::size_t) { return std::vector<std::size_t>(); });
  CHECK(plan.blocks.empty());
  CHECK(plan.bytes == 0);
}

TEST_CASE("every byte of the fields is in one block, whatever threads and mode") {
  for (const std::size_t threads : {1, 2, 3}) {
    for (const Mode mode : {Mode::k36, Mode::k40}) {
      const Case one(days(3), select_three(), threads, mode);
      const PrefetchPlan plan = one.outputs();
      const auto bytes = bytes_by_column(one, plan);
      CHECK(bytes.size() == 6);
      for (const auto& [column, count] : bytes) CHECK(count == kPlanRows * 8);
      CHECK(plan.bytes == 6 * kPlanRows * 8);
      CHECK(plan.morsels == one.input.morsels.size());
    }
  }
}

TEST_CASE("pruned partitions and rows that an index leaves out are in no block") {
  Plan plan = select_three();
  plan.where = {on_day(7001), sym_is_b()};
  const Case one(days(3), plan);
  const auto bytes = bytes_by_column(one, one.outputs());
  const std::uint64_t half = (kPlanRows - kPlanRows / 2) * 8;
  CHECK(bytes == std::map<std::string, std::uint64_t>{{"1sym", half}, {"1size", half}});
}

TEST_CASE("morsels that the caller leaves out are in no block") {
  const Case one(days(1), select_three());
  const PrefetchPlan plan = prefetch_plan(one.input, 2, [&](std::size_t m) {
    return m == 3 ? std::vector<std::size_t>{kPlanSize} : std::vector<std::size_t>();
  });
  REQUIRE(plan.blocks.size() == 1);
  const RowRange rows = one.input.morsels[3].rows;
  CHECK(plan.blocks[0].bytes.data() == (**one.table->column(0, kPlanSize)).data + rows.begin * 8);
  CHECK(plan.blocks[0].bytes.size() == rows.rows() * 8);
}

TEST_CASE("the workers' stretches take turns, and fields within them") {
  const Case one(days(2), select_three());
  const PrefetchPlan plan = one.outputs();
  const std::uint64_t step = morsel_rows(2 * kPlanRows, 2);
  const std::uint64_t rows = kPrefetchRows / step * step;
  REQUIRE(plan.blocks.size() == 2 * 2 * (kPlanRows / rows));  // the last ones take the rest, too
  const auto data = [&](std::size_t part, std::size_t field) {
    return (**one.table->column(part, field)).data;
  };
  const std::size_t block = rows * 8;
  CHECK(plan.blocks[0].bytes.data() == data(0, kPlanSym));
  CHECK(plan.blocks[1].bytes.data() == data(1, kPlanSym));
  CHECK(plan.blocks[2].bytes.data() == data(0, kPlanSize));
  CHECK(plan.blocks[3].bytes.data() == data(1, kPlanSize));
  CHECK(plan.blocks[4].bytes.data() == data(0, kPlanSym) + block);
  CHECK(plan.blocks[3].morsels_before == 0);
  CHECK(plan.blocks[4].morsels_before == 2 * (rows / step));
}

TEST_CASE("grouping reads conditions, then keys that no index tells, then what is aggregated") {
  Plan last;
  last.last_rows = true;
  last.by = {{"sym", kPlanSym}};
  last.outputs = {{"size", Aggregate::kNone, kPlanSize, {}}};
  const Case by_sym(days(1), last);
  CHECK(group_fields(by_sym.input, by_sym.input.morsels[0]) == std::vector<std::size_t>{kPlanSym});
  last.where = {sym_is_b()};
  const Case told(days(1), last);
  CHECK(group_fields(told.input, told.input.morsels[0]).empty());

  Plan sums;
  sums.by = {{"date", kPlanDate}};
  sums.where = {{"size<5", kPlanSize, RangeTest{0, 5}, false}};
  sums.outputs = {{"x", Aggregate::kCount, kPlanSym, {}},
                  {"s", Aggregate::kSum, kPlanSize, {}},
                  {"l", Aggregate::kLast, kPlanSym, {}}};
  const Case sum(days(1), sums);
  CHECK(group_fields(sum.input, sum.input.morsels[0]) == std::vector<std::size_t>{kPlanSize});
}
