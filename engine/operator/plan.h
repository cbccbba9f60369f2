// A plan: a query bound to a table's schema.
//
// queries/ makes plans from text, the executor runs them, and explain describes them. Fields are
// indices into the schema, computed ones behind it. Literals have become tests on order keys
// (order_key.h) or on symbol codes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

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

// A field that a query computes: in a plan it stands behind the schema's own, so that the k-th one
// is field schema.fields.size() + k, wherever a field may stand. Its expression reads the schema's
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

// The forms: no by and no aggregates (rows); aggregates with or without by; `last_rows`: select by
// without aggregates, the last row of each group, outputs being the non-key columns in table order
// (kNone). Aggregates and plain columns never mix.
struct Plan {
  std::vector<Output> outputs;
  std::vector<GroupKey> by;
  std::vector<Condition> where;  // in the order written
  std::vector<ComputedField> computed;
  // What is shown instead of the outputs, after the keys; empty: the outputs. Aggregates only.
  std::vector<ResultExpression> results;
  bool last_rows = false;
  bool is_exec = false;  // `exec`: the same rows, without the keyed table's meaning

  bool aggregates() const {
    return !outputs.empty() && outputs.front().aggregate != Aggregate::kNone;
  }
};

// Whether condition `index` prunes partitions: only the first one, un-negated, on the virtual
// partition field (docs/q-semantics.md, "where"). Requires the schema's partitioned flag from the
// caller.
inline bool prunes_partitions(const Plan& plan, std::size_t index, bool partitioned) {
  return partitioned && index == 0 && !plan.where.empty() && plan.where[0].field == 0 &&
         !plan.where[0].negated;
}

}  // namespace hdbench
