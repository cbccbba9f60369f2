// What execute() promises beyond right rows: limits, interruption, errors, statistics, empty
// inputs.
#include "engine/exec/execute.h"

#include <atomic>
#include <cstring>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"
#include "engine/exec/explain.h"
#include "engine/exec/query_input.h"

using namespace hdbench;

namespace {

constexpr std::size_t kDate = 0;
constexpr std::size_t kSymColumn = 1;
constexpr std::size_t kSizeColumn = 2;

// Two days of 100,000 rows: sym alternates over two symbols (codes as given), size counts up.
std::shared_ptr<Table> two_days(std::int64_t odd_code = 1) {
  const auto domain = make_domain("sym", {"b", "a"});
  Schema schema;
  schema.partitioned = true;
  schema.fields = {{"date", QType::kDate, Attribute::kNone, nullptr},
                   {"sym", QType::kSymbol, Attribute::kNone, domain},
                   {"size", QType::kLong, Attribute::kNone, nullptr}};
  std::vector<MemoryTable::Part> parts;
  for (std::int64_t day = 0; day < 2; ++day) {
    std::vector<std::int64_t> codes(100000);
    std::vector<std::int64_t> sizes(codes.size());
    for (std::size_t i = 0; i < codes.size(); ++i) {
      codes[i] = i % 2 == 0 ? 0 : odd_code;
      sizes[i] = static_cast<std::int64_t>(i);
    }
    MemoryTable::Part part;
    part.partition_value = 7000 + day;
    part.columns.push_back(make_column<std::int64_t>(QType::kSymbol, codes, domain));
    part.columns.push_back(make_column<std::int64_t>(QType::kLong, sizes));
    parts.push_back(std::move(part));
  }
  return std::make_shared<MemoryTable>("quote", schema, std::move(parts));
}

Plan select_all() {
  Plan plan;
  plan.outputs = {{"date", Aggregate::kNone, kDate, {}},
                  {"sym", Aggregate::kNone, kSymColumn, {}},
                  {"size", Aggregate::kNone, kSizeColumn, {}}};
  return plan;
}

Plan last_by_sym() {
  Plan plan;
  plan.last_rows = true;
  plan.by = {{"sym", kSymColumn}};
  plan.outputs = {{"date", Aggregate::kNone, kDate, {}},
                  {"size", Aggregate::kNone, kSizeColumn, {}}};
  return plan;
}

template <typename T>
T value(const ResultTable& table, std::size_t column, std::uint64_t row) {
  T result;
  std::memcpy(&result, table.columns[column].buffer.data() + row * sizeof(T), sizeof(T));
  return result;
}

Workspace unlimited() { return Workspace(0, *std::pmr::new_delete_resource()); }

}  // namespace

TEST_CASE("no match gives an empty table with the full typed schema") {
  ThreadPool pool(2);
  Workspace workspace = unlimited();
  for (Plan plan : {select_all(), last_by_sym()}) {
    plan.where = {{"size<0", kSizeColumn, RangeTest{INT64_MIN, -1}, false}};
    const auto result = execute(*two_days(), plan, {}, pool, workspace);
    REQUIRE(result.ok());
    REQUIRE(result->rows == 0);
    REQUIRE(result->columns.size() == 3);
    REQUIRE(result->columns.back().type == QType::kLong);
  }
}

TEST_CASE("count without conditions reads no column") {
  ThreadPool pool(1);
  Workspace workspace = unlimited();
  Plan plan;
  plan.outputs = {{"x", Aggregate::kCount, std::nullopt, {}}};
  ExecuteStats stats;
  const auto result = execute(*two_days(), plan, {}, pool, workspace, &stats);
  REQUIRE(result.ok());
  REQUIRE(value<std::int64_t>(*result, 0, 0) == 200000);
  REQUIRE(stats.bytes_read == 0);
  REQUIRE(stats.rows_in == 200000);
}

TEST_CASE("at the limit a query ends with -w abort, gives everything back, and the next one runs") {
  ThreadPool pool(2);
  // The result takes 20 bytes a row.
  Workspace workspace(3000000, *std::pmr::new_delete_resource());
  const auto table = two_days();
  const auto stopped = execute(*table, select_all(), {}, pool, workspace);
  REQUIRE_FALSE(stopped.ok());
  REQUIRE(stopped.error().kind == ErrorKind::kLimit);
  REQUIRE(stopped.error().message.rfind("-w abort", 0) == 0);
  REQUIRE(workspace.used_bytes() == 0);
  REQUIRE(workspace.peak_bytes() <= 3000000);
  REQUIRE(execute(*table, last_by_sym(), {}, pool, workspace).ok());
}

TEST_CASE("a result takes its own bytes and a 64th of a column, not more") {
  ThreadPool pool(2);
  Workspace workspace = unlimited();
  Plan plan = select_all();
  plan.where = {{"size>=0", kSizeColumn, RangeTest{0, INT64_MAX}, false}};
  const auto result = execute(*two_days(), plan, {}, pool, workspace);
  REQUIRE(result.ok());
  REQUIRE(result->bytes() == 200000 * 20);
  REQUIRE(workspace.peak_bytes() < result->bytes() * 105 / 100);
}

TEST_CASE("a code outside its domain is an error wherever it is decoded") {
  ThreadPool pool(2);
  Workspace workspace = unlimited();
  Plan filtered = select_all();
  filtered.where = {{"sym=`b", kSymColumn, CodeTest{{1, 0}, {0}}, false}};
  // Codes are cut to ids before they are compared: 257 and 2^40 look good cut.
  for (const std::int64_t code : {std::int64_t{2}, std::int64_t{257}, std::int64_t{1} << 40}) {
    for (const Plan& plan : {select_all(), last_by_sym(), filtered}) {
      const auto result = execute(*two_days(code), plan, {}, pool, workspace);
      INFO("code " << code);
      REQUIRE_FALSE(result.ok());
      REQUIRE(result.error().kind == ErrorKind::kData);
      REQUIRE(result.error().message.find(std::to_string(code)) != std::string::npos);
    }
  }
}

TEST_CASE("a raised stop flag ends the query") {
  ThreadPool pool(2);
  Workspace workspace = unlimited();
  const std::atomic<bool> stop{true};
  ExecuteSettings settings;
  settings.stop = &stop;
  const auto result = execute(*two_days(), select_all(), settings, pool, workspace);
  REQUIRE_FALSE(result.ok());
  REQUIRE(result.error().message == "interrupted");
}

TEST_CASE("a select's writes are reported before they are made") {
  // What lies there when they are reported is overwritten.
  struct Meter final : AccessMeter {
    void access(const Access& access) override {
      if (access.kind != AccessKind::kWrite) return;
      std::memset(const_cast<std::byte*>(access.address), 0xab, access.bytes);
    }
  };
  ThreadPool pool(2);
  Workspace workspace = unlimited();
  const auto plain = execute(*two_days(), select_all(), {}, pool, workspace);
  Meter meter;
  ExecuteSettings settings;
  settings.meter = &meter;
  const auto metered = execute(*two_days(), select_all(), settings, pool, workspace);
  REQUIRE(plain.ok());
  REQUIRE(metered.ok());
  REQUIRE(checksum(*metered) == checksum(*plain));
}

TEST_CASE("reads are reported before they are made, by filters, selects and last rows") {
  // What is read lies there as zeros once it was reported.
  struct Meter final : AccessMeter {
    void access(const Access& access) override {
      if (access.kind != AccessKind::kRead) return;
      std::memset(const_cast<std::byte*>(access.address), 0,
                  access.elements * access.element_bytes);
    }
  };
  ThreadPool pool(2);
  Workspace workspace = unlimited();
  Meter meter;
  ExecuteSettings settings;
  settings.meter = &meter;
  Plan filtered = select_all();
  filtered.where = {{"size=0", kSizeColumn, RangeTest{0, 0}, false}};
  const auto selected = execute(*two_days(), filtered, settings, pool, workspace);
  REQUIRE(selected.ok());
  REQUIRE(selected->rows == 200000);
  for (const std::uint64_t row : {0, 99999, 199999}) {
    CHECK(value<std::int64_t>(*selected, kSymColumn, row) == 0);
    CHECK(value<std::int64_t>(*selected, kSizeColumn, row) == 0);
  }
  // All rows are the first symbol's.
  const auto grouped = execute(*two_days(), last_by_sym(), settings, pool, workspace);
  REQUIRE(grouped.ok());
  CHECK(grouped->rows == 1);
}

TEST_CASE("a meter is told of every byte that the statistics count") {
  struct Meter final : AccessMeter {
    std::atomic<std::uint64_t> read{0};
    std::atomic<std::uint64_t> written{0};
    void access(const Access& access) override {
      (access.kind == AccessKind::kRead ? read : written) += access.bytes;
    }
  };
  ThreadPool pool(2);
  Workspace workspace = unlimited();
  Plan plan = select_all();
  plan.where = {{"sym=`b", kSymColumn, CodeTest{{1, 0}, {0}}, false},
                {"size>10", kSizeColumn, RangeTest{11, INT64_MAX}, false}};
  Meter meter;
  ExecuteSettings settings;
  settings.meter = &meter;
  ExecuteStats stats;
  const auto result = execute(*two_days(), plan, settings, pool, workspace, &stats);
  REQUIRE(result.ok());
  REQUIRE(meter.read == stats.bytes_read);
  REQUIRE(meter.written == stats.bytes_written);
  REQUIRE(stats.bytes_written == result->bytes());
  // Once to test it; then every second row is shown, so every line but each day's first.
  REQUIRE(stats.reads[0].bytes_by_field[kSymColumn] == 200000 * 8 + 2 * (100000 * 8 - 64));
}

TEST_CASE("pruned partitions are not counted in") {
  ThreadPool pool(1);
  Workspace workspace = unlimited();
  Plan plan = last_by_sym();
  plan.where = {{"date=2019.03.02", kDate, RangeTest{7000, 7000}, false}};
  ExecuteStats stats;
  REQUIRE(execute(*two_days(), plan, {}, pool, workspace, &stats).ok());
  REQUIRE(stats.parts_total == 2);
  REQUIRE(stats.parts_scanned == 1);
  REQUIRE(stats.rows_in == 100000);
}

TEST_CASE("p# on a column that is not of symbols is scanned") {
  Schema schema;
  schema.fields = {{"a", QType::kLong, Attribute::kParted, nullptr}};
  Column column = make_column<std::int64_t>(QType::kLong, std::vector<std::int64_t>{5, 5, 6});
  column.attribute = Attribute::kParted;
  const std::vector<std::byte> trailer(64);
  column.index_bytes = trailer;
  column.source = "t/a";
  std::vector<MemoryTable::Part> parts(1);
  parts[0].columns = {column};
  const MemoryTable table("t", schema, std::move(parts));
  Plan plan;
  plan.where = {{"a=5", 0, RangeTest{5, 5}, false}};
  plan.outputs = {{"a", Aggregate::kNone, 0, {}}};
  ThreadPool pool(1);
  Workspace workspace = unlimited();
  const auto result = execute(table, plan, {}, pool, workspace);
  REQUIRE(result.ok());
  REQUIRE(result->rows == 2);
}

TEST_CASE("a morsel's rows follow the query's, in whole words and within bounds") {
  CHECK(morsel_rows(0, 1) == kMorselRowsMin);
  CHECK(morsel_rows(100'000, 2) == kMorselRowsMin);
  CHECK(morsel_rows(1'000'000, 2) == 31'232);
  CHECK(morsel_rows(1'000'000, 1) == 62'464);
  CHECK(morsel_rows(1'000'000'000, 64) == kMorselRows);
}

namespace {

// Refuses columns until those of earlier queries are let go, where that helps.
class Crowded final : public Table {
 public:
  explicit Crowded(bool helps) : helps_(helps) {}
  const std::string& name() const override { return days_->name(); }
  const Schema& schema() const override { return days_->schema(); }
  std::size_t part_count() const override { return days_->part_count(); }
  std::int64_t partition_value(std::size_t part) const override {
    return days_->partition_value(part);
  }
  Result<std::uint64_t> rows(std::size_t part) const override { return days_->rows(part); }
  Result<const Column*> column(std::size_t part, std::size_t field) const override {
    if (is_crowded_) return data_error("no maps are left");
    return days_->column(part, field);
  }
  bool release_columns() const override {
    const bool was_crowded = is_crowded_;
    is_crowded_ = !helps_;
    return was_crowded;
  }

 private:
  std::shared_ptr<Table> days_ = two_days();
  bool helps_;
  mutable std::atomic<bool> is_crowded_{true};
};

}  // namespace

TEST_CASE("a query for which no maps are left runs once earlier columns are let go") {
  ThreadPool pool(2);
  Workspace workspace(0, *std::pmr::new_delete_resource());
  const auto result = execute(Crowded(true), select_all(), {}, pool, workspace);
  REQUIRE(result.ok());
  CHECK(result->rows == 200000);
  CHECK_FALSE(explain(Crowded(true), select_all(), {}).error);
  const auto refused = execute(Crowded(false), select_all(), {}, pool, workspace);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message == "no maps are left");
  CHECK(explain(Crowded(false), select_all(), {}).error);
}
