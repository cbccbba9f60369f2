#include "engine/exec/explain.h"

#include <utility>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"

using namespace hdbench;

namespace {

std::shared_ptr<Table> parted_days() {
  const auto domain = make_domain("sym", {"a", "b"});
  Schema schema;
  schema.partitioned = true;
  schema.fields = {{"date", QType::kDate, Attribute::kNone, nullptr},
                   {"sym", QType::kSymbol, Attribute::kParted, domain},
                   {"size", QType::kLong, Attribute::kNone, nullptr}};
  std::vector<MemoryTable::Part> parts;
  for (std::int64_t day = 0; day < 3; ++day) {
    MemoryTable::Part part;
    part.partition_value = 7000 + day;
    Column sym =
        make_column<std::int64_t>(QType::kSymbol, std::vector<std::int64_t>{0, 0, 1}, domain);
    sym.attribute = Attribute::kParted;
    sym.index = std::make_shared<PartedIndex>(*make_parted_index(sym));
    part.columns = {sym,
                    make_column<std::int64_t>(QType::kLong, std::vector<std::int64_t>{1, 2, 3})};
    parts.push_back(std::move(part));
  }
  return std::make_shared<MemoryTable>("quote", schema, std::move(parts));
}

const Condition kOneDay{"date=2019.03.02", 0, RangeTest{7000, 7000}, false};
const Condition kSymA{"sym=`a", 1, CodeTest{{1, 0}, {0}}, false};

}  // namespace

TEST_CASE("date first prunes, the next condition uses p, bytes are those of the parts left") {
  Plan plan;
  plan.where = {kOneDay, kSymA};
  plan.outputs = {{"size", Aggregate::kNone, 2, {}}};
  const Explanation explanation = explain(*parted_days(), plan, {});
  REQUIRE(explanation.parts_scanned == 1);
  REQUIRE(explanation.steps[0].how == Explanation::Step::How::kPrune);
  REQUIRE(explanation.steps[1].how == Explanation::Step::How::kIndex);
  REQUIRE(explanation.columns.size() == 2);
  REQUIRE(explanation.columns[1].bytes == 24);
  REQUIRE(to_text(explanation) ==
          "partitions  1 of 3, 3 rows\n"
          "condition 1  prune  date=2019.03.02\n"
          "condition 2  index  sym=`a\n"
          "column  sym               24 bytes at most\n"
          "column  size              24 bytes at most\n");
}

TEST_CASE("fields that cannot be read are reported") {
  const auto days = parted_days();
  Schema schema = days->schema();
  schema.fields[2].unreadable = data_error("quote/size: type 99");
  MemoryTable::Part part{7000, {*days->column(0, 1).value(), *days->column(0, 2).value()}};
  Plan plan;
  plan.outputs = {{"x", Aggregate::kCount, {}, {}}};
  const Explanation explanation = explain(MemoryTable("quote", schema, {part}), plan, {});
  CHECK(to_text(explanation) ==
        "partitions  1 of 1, 3 rows\n"
        "unreadable  size: quote/size: type 99\n");
}

TEST_CASE("what the plan needs and cannot be read is reported once, and is the error of the plan") {
  const auto days = parted_days();
  Schema schema = days->schema();
  schema.fields[2].unreadable = data_error("quote/size: type 99");
  const MemoryTable::Part part{7000, {*days->column(0, 1).value(), *days->column(0, 2).value()}};
  Plan plan;
  plan.where = {kSymA, {"size>1", 2, RangeTest{}, false}};
  plan.outputs = {{"size", Aggregate::kMax, 2, {}}};
  const MemoryTable table("quote", schema, {part, part});
  const Explanation explanation = explain(table, plan, {});
  REQUIRE(explanation.error);
  CHECK(explanation.error->message == "quote/size: type 99");
  CHECK(to_text(explanation) ==
        "partitions  2 of 2, 6 rows\n"
        "condition 1  index  sym=`a\n"
        "condition 2  scan   size>1\n"
        "column  sym               48 bytes at most\n"
        "column  size               0 bytes at most\n"
        "unreadable  size: quote/size: type 99\n");
  plan.where.clear();
  plan.outputs = {{"size", Aggregate::kCount, 2, {}}};
  CHECK(explain(table, plan, {}).error);
  plan.outputs = {{"x", Aggregate::kCount, {}, {}}};
  CHECK_FALSE(explain(table, plan, {}).error);
}

namespace {

// Its first column cannot be mapped once.
class FailsOnce final : public Table {
 public:
  explicit FailsOnce(std::shared_ptr<Table> table) : table_(std::move(table)) {}
  const std::string& name() const override { return table_->name(); }
  const Schema& schema() const override { return table_->schema(); }
  std::size_t part_count() const override { return table_->part_count(); }
  std::int64_t partition_value(std::size_t part) const override {
    return table_->partition_value(part);
  }
  Result<std::uint64_t> rows(std::size_t part) const override { return table_->rows(part); }
  Result<const Column*> column(std::size_t part, std::size_t field) const override {
    if (!std::exchange(has_failed_, true)) return data_error("no memory");
    return table_->column(part, field);
  }

 private:
  std::shared_ptr<Table> table_;
  mutable bool has_failed_ = false;
};

}  // namespace

TEST_CASE("a column that cannot be mapped once is the error, not a wrong figure") {
  Plan plan;
  plan.where = {kSymA};
  plan.outputs = {{"size", Aggregate::kMax, 2, {}}};
  const Explanation explanation = explain(FailsOnce(parted_days()), plan, {});
  REQUIRE(explanation.error);
  CHECK(explanation.error->message == "no memory");
}

TEST_CASE("attr none scans what p would find") {
  Plan plan;
  plan.where = {kOneDay, kSymA};
  plan.outputs = {{"size", Aggregate::kNone, 2, {}}};
  ExecuteSettings settings;
  settings.use_index = false;
  const Explanation explanation = explain(*parted_days(), plan, settings);
  REQUIRE(explanation.steps[1].how == Explanation::Step::How::kScan);
  REQUIRE(explanation.steps[1].bytes == 24);
}

TEST_CASE("a date condition that is not first prunes nothing, and explain says so") {
  Plan plan;
  plan.where = {kSymA, kOneDay};
  plan.outputs = {{"size", Aggregate::kNone, 2, {}}};
  const Explanation explanation = explain(*parted_days(), plan, {});
  REQUIRE(explanation.parts_scanned == 3);
  REQUIRE(explanation.steps[1].note == "not the first condition: prunes no date");
}

TEST_CASE("computed fields are reported with the columns that they read") {
  ExpressionNode date{Operation::kField, QType::kDate, {}, 0, {}, {}, {}};
  ExpressionNode size{Operation::kField, QType::kLong, {}, 2, {}, {}, {}};
  ExpressionNode day{Operation::kCast, QType::kLong, {0, 0, 0}, 0, {}, {}, {}};
  ExpressionNode less{Operation::kLess, QType::kBoolean, {1, 2, 0}, 0, {}, {}, {}};
  Plan plan;
  plan.computed = {{"size>date", {{date, size, day, less}}}};
  plan.where = {{"size>date", 3, RangeTest{1, 1}, false}};
  plan.outputs = {{"sym", Aggregate::kNone, 1, {}}};
  const Explanation explanation = explain(*parted_days(), plan, {});
  REQUIRE(explanation.steps[0].how == Explanation::Step::How::kScan);
  REQUIRE(to_text(explanation) ==
          "partitions  3 of 3, 9 rows\n"
          "condition 1  scan   size>date  (72 bytes)\n"
          "computed  size>date  [date, size]\n"
          "column  sym               72 bytes at most\n"
          "column  size              72 bytes at most\n");
}
