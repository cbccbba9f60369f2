// A plan: a query bound to a table's schema.
//
// queries/ makes plans from text, the executor runs them, and explain describes them. Fields are
// indices into the schema, computed ones behind it. Literals have become tests on order keys
// (order_key.h) or on symbol codes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/result.h"
#include "engine/column/result_table.h"
#include "engine/column/table.h"
#include "engine/expression/expression.h"

namespace hdbench {

// low <= order key <= high. Reals and floats alike are tested on the key of the widened double.
// Empty (nothing passes) when low > high.
struct RangeTest {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

// The order key is one of `keys` (rising, distinct).
struct SetTest {
  std::vector<std::int64_t> keys;
};

// The symbol's code is a member: member[code] is 1; member.size() is the domain's size.
struct CodeTest {
  std::vector<std::uint8_t> member;
  std::vector<std::uint64_t> codes;  // the same members, rising
};

// The guid is one of these.
struct GuidTest {
  std::vector<std::array<std::uint8_t, 16>> values;
};

// The nested column's string, or the char, matches q's `like` pattern (? * [abc] [^a-z]).
struct LikeTest {
  std::string pattern;
};

using Test = std::variant<RangeTest, SetTest, CodeTest, GuidTest, LikeTest>;

struct Condition {
  std::string text;       // as written, for explain
  std::size_t field = 0;  // what is tested
  Test test;
  bool negated = false;  // keep the rows that fail the test
};

enum class Aggregate : std::uint8_t {
  kNone,
  kCount,
  kSum,
  kAvg,
  kMin,
  kMax,
  kFirst,
  kLast,
  kWavg,
  kDev,
  kMed,
  kVar,
  kSampleVar,
  kSampleDev,
  kWsum,
  kCov,
  kSampleCov,
  kCor,
  kAny,
  kAll,
  kCountDistinct,
  kFirstRow,  // of no query's text: the RowId of the group's first row, a long
};

struct Output {
  std::string name;
  Aggregate aggregate = Aggregate::kNone;
  // The column shown or aggregated; nothing for `count i`.
  std::optional<std::size_t> field;
  // kWavg, kWsum, kCov, kSampleCov, kCor: the first argument's column (`weights wavg values`).
  std::optional<std::size_t> weights;
};

struct GroupKey {
  std::string name;
  std::size_t field = 0;
};

// A field that a query computes: in a plan it comes behind the schema's own, so that the k-th one
// is field schema.fields.size() + k, wherever a field is named. Its expression reads the schema's
// fields alone.
struct ComputedField {
  std::string text;  // as written, for explain
  Expression expression;
};

// A column of the result that is made of aggregates, a row at a time: the expression's fields are
// places in Plan::outputs.
struct ResultExpression {
  std::string name;
  Expression expression;
};

// Functions whose results are as long as their argument (docs/q-semantics.md, "Uniform functions").
enum class Uniform : std::uint8_t {
  kSums,
  kPrds,
  kMaxs,
  kMins,
  kMsum,
  kMavg,
  kMmax,
  kMmin,
  kMdev,
  kMcount,
  kDeltas,
  kRatios,
  kDiffer,
  kPrev,
  kNext,
  kXprev,
  kFills,
  kRank,    // its place in rising order, from 0 on
  kString,  // its text, a list of chars
};

// A column that is made of one before it, beginning anew wherever the columns of `by` differ.
struct Window {
  std::string name;
  Uniform function = Uniform::kSums;
  std::size_t input = 0;
  std::int64_t length = 0;  // of moving functions; how far back xprev looks
  std::vector<std::size_t> by;
};

// Rows in the order of these columns of a result, the first one foremost.
struct RowOrder {
  std::vector<std::size_t> columns;
  bool descending = false;
};

// `count` rows from `first` on; count < 0: so many of the last. is_cyclic: as many even if there
// are fewer, beginning anew behind the last (before the first).
struct RowTake {
  std::int64_t first = 0;
  std::int64_t count = 0;
  bool is_cyclic = false;
  bool is_backwards = false;      // the last of them first
  std::int64_t without_last = 0;  // so many of the last are left out

  // Whether the rows are neighbours in their order.
  bool is_range() const { return !is_cyclic && !is_backwards && without_last == 0; }
};

// What is made of a list, one after another.
struct ListStep {
  enum class Kind : std::uint8_t {
    kAscending,
    kDescending,
    kDistinct,  // of equal ones the first
    kTake,      // `take`
    kWhere,     // those whose boolean, in the row's `column`, is true
  } kind = Kind::kTake;
  RowTake take = {};
  std::size_t column = 0;
};

// A column of rows that are brought together: a list a key, or an aggregate of it; else a value
// that all of a key's rows share.
struct ListColumn {
  bool is_list = false;
  std::vector<ListStep> steps = {};
  Aggregate aggregate = Aggregate::kNone;
};

// Rows brought together by their first columns, the keys: a row a key. are_rows: a row an item, so
// that all lists of a key must be of one length. Columns behind these are there for kWhere.
struct RowLists {
  std::size_t keys = 0;
  std::vector<ListColumn> columns;
  bool are_rows = false;
};

struct Plan;
struct PlanSource;

// The rows of a plan over a table; over what the plan's own source makes: null.
struct PlanSide {
  const Table* table = nullptr;
  std::shared_ptr<const Table> owned = {};  // where the plan has a table of its own: that
  std::shared_ptr<const Plan> plan;
  Schema rows;  // that the plan gives
};

enum class SourceKind : std::uint8_t {
  kRows,       // of the left side
  kWindows,    // these, with the windows' columns behind
  kAsOf,       // each left row beside the last right one with its keys, the last key being at most
  kAsOfTimes,  // the same; shown is the right row's last key
  kLeft,       // each left row beside the first right one with its keys
  kInner,      // those alone that have one
  kWithout,    // left rows that have none
  kEach,       // each left row beside every right one with its keys
  kAppend,     // the left rows, then the right ones
  kBetween,    // each left row beside aggregates of the right ones with its keys, times in between
  kItems,      // the items of the left rows' lists, a row each
};

// A column that a source makes: of a left row, or of the right one beside it (a null where there is
// none, or the left row's column `otherwise`).
struct SourceColumn {
  std::string name;
  bool is_right = false;
  std::size_t column = 0;
  std::optional<std::size_t> otherwise = {};
};

// What a plan reads instead of a table: rows that other plans give.
struct PlanSource {
  SourceKind kind = SourceKind::kRows;
  PlanSide left;
  PlanSide right;
  // The right plan runs over the left one's rows, which are made once.
  bool is_right_over_left = false;
  // Columns of both sides that are compared, pair by pair. None: the first right row is everyone's.
  std::vector<std::size_t> left_keys;
  std::vector<std::size_t> right_keys;
  std::vector<SourceColumn> columns;  // of joins
  std::vector<Window> windows;        // kWindows: each may read those before it
  // kAppend: of each column the left one and the right one; nulls where there is none.
  std::vector<std::array<std::optional<std::size_t>, 2>> appended;
  // kBetween: left columns with the first and the last time; the right one's last key is the time.
  std::array<std::size_t, 2> ends{};
  bool takes_prevailing = false;   // kBetween: where no row is at the first time, the one before
  std::vector<Output> aggregates;  // kBetween: of right columns
  Schema schema;                   // of the rows made
};

// A condition whose test is what another query gives.
struct ConditionQuery {
  std::size_t condition = 0;
  PlanSide query;
  std::function<Result<Test>(const ResultTable& rows)> make_test;
};

// The forms: no by and no aggregates (rows); aggregates with or without by; `last_rows`: select by
// without aggregates, the last row of each group, outputs being the non-key columns in table order
// (kNone). Aggregates and plain columns never mix. Rows may be distinct, then ordered, then taken.
struct Plan {
  std::vector<Output> outputs;
  std::vector<GroupKey> by;
  std::vector<Condition> where;  // in the order written
  std::vector<ComputedField> computed = {};
  // What is shown instead of the outputs, after the keys; empty: the outputs. Aggregates only.
  std::vector<ResultExpression> results = {};
  bool last_rows = false;
  bool is_exec = false;  // `exec`: the same rows, without the keyed table's meaning
  // Null: the table that the plan runs over. Fields are those of the source's schema.
  std::shared_ptr<const PlanSource> source = {};
  std::vector<ConditionQuery> condition_queries = {};
  bool distinct = false;  // rows alone: of equal ones the first
  std::optional<RowOrder> order = {};
  std::optional<RowTake> take = {};
  std::optional<RowLists> lists = {};
  // The last key's values become columns, each with the only value column's values beside the other
  // keys, so that the result's columns depend on its rows: no plan reads them. fills: gaps get the
  // value above.
  enum class Pivot : std::uint8_t { kNone, kPivot, kFilled } pivot = Pivot::kNone;
  std::size_t hidden = 0;  // so many last outputs are there for the order alone
  // How many first columns are keys, where the source's stay keys or other columns become them.
  std::size_t source_keys = 0;

  bool aggregates() const {
    return !outputs.empty() && outputs.front().aggregate != Aggregate::kNone;
  }
};

// The part of a plan that runs over the rows of a table. It views the plan, or what takes its
// place (conditions whose tests another query gave, groups that are different rows): these outlive
// it.
struct TablePlan {
  TablePlan() = default;
  TablePlan(const Plan& plan)
      : outputs(plan.outputs),
        by(plan.by),
        where(plan.where),
        computed(plan.computed),
        last_rows(plan.last_rows) {}

  bool aggregates() const {
    return !outputs.empty() && outputs.front().aggregate != Aggregate::kNone;
  }

  std::span<const Output> outputs;
  std::span<const GroupKey> by;
  std::span<const Condition> where;
  std::span<const ComputedField> computed;
  bool last_rows = false;
  // Of the plan above: groups that fail these need not be made. Fields are outputs that count rows.
  std::span<const Condition> having = {};
};

// Whether condition `index` prunes partitions: only the first one, un-negated, on the virtual
// partition field (docs/q-semantics.md, "where"). Requires the schema's partitioned flag from the
// caller.
inline bool prunes_partitions(const TablePlan& plan, std::size_t index, bool partitioned) {
  return partitioned && index == 0 && !plan.where.empty() && plan.where[0].field == 0 &&
         !plan.where[0].negated;
}

}  // namespace hdbench
