// Aggregators: one column's aggregate for every group.
//
// An aggregate is a function of the set of rows: batches may come in any order and on any thread,
// and partial aggregators merge. Nulls are skipped, as in q. Float sums, and aggregates derived
// from them, are exact and rounded once (exact_sum.h). Memory comes from the query's workspace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>

#include "engine/base/byte_stream.h"
#include "engine/base/thread_pool.h"
#include "engine/column/table.h"
#include "engine/column/type.h"
#include "engine/kernel/reduce.h"
#include "engine/operator/access_log.h"
#include "engine/operator/partition_view.h"
#include "engine/operator/plan.h"

namespace hdbench {

// Packed values of the selected rows of a morsel, and the group of each.
struct AggregateBatch {
  std::size_t count = 0;
  const std::uint32_t* groups = nullptr;
  const std::byte* values = nullptr;
  const std::byte* weights = nullptr;  // of aggregates of two columns only
  // Rows of one group, at most: `count` where it is not known.
  std::size_t group_rows_max = 0;
  // The groups lie in [groups_begin, groups_end).
  std::size_t groups_begin = 0;
  std::size_t groups_end = 0;
};

// Rows of one group, as they lie in a column: those whose bit is set (bits.h), or all where `bits`
// is null. At most kRunRowsMax.
struct AggregateRun {
  std::uint32_t group = 0;
  std::size_t rows = 0;
  const std::uint64_t* bits = nullptr;
  const std::byte* values = nullptr;
  const std::byte* weights = nullptr;  // of aggregates of two columns only
  RowsAhead ahead{};
};
constexpr std::size_t kRunRowsMax = std::size_t{1} << 16;

// The fastest form for rows of a few groups: one run for each group, with kernels that pass over
// all rows; one run for each group with its rows packed; or all rows in one batch.
enum class FewGroups : std::uint8_t { kRuns, kPackedRuns, kBatch };

class Aggregator {
 protected:
  static constexpr std::size_t kGroupsAPart = 512;  // where a group takes little time

 public:
  virtual ~Aggregator() = default;
  // Room for groups [0, groups), new ones being empty.
  virtual void resize(std::size_t groups) = 0;
  virtual void update(const AggregateBatch& batch) = 0;
  virtual void update_run(const AggregateRun& run) = 0;
  virtual FewGroups few_groups() const { return FewGroups::kRuns; }
  // Adds group g of `other`, an aggregator of the same kind, to group mapping[g] of this one.
  virtual void merge(Aggregator& other, std::span<const std::uint32_t> mapping) = 0;
  // Writes what is kept of the groups in `order`, each once, for an aggregator of the same kind in
  // another process. Requires: one pass.
  virtual void save(std::span<const std::uint32_t> order, ByteSink& out) = 0;
  // Adds what save() wrote: group order[i] of it to group mapping[i]. Bytes of anything else: the
  // source has failed.
  virtual void add_saved(ByteSource& in, std::span<const std::uint32_t> mapping) = 0;
  // Whether all rows must be passed a second time, after the partial aggregators have been merged.
  virtual bool needs_second_pass() const { return false; }
  // Called before the second pass on every aggregator that takes part in it. `merged` holds the
  // first pass's result and outlives this object. The second pass's results are merged again.
  virtual void begin_second_pass(const Aggregator& /*merged*/) {}
  // Called once, when all rows are in and all is merged, before finish().
  virtual void settle() {}
  // Of how many groups a thread calls finish() at once, while others do so; 0: one does for all.
  // After settle().
  virtual std::size_t groups_a_part() const { return 0; }
  // Writes the results of the groups in `order`, packed, as aggregate_type() says. row_counts: by
  // group, the rows that it was given, nulls included.
  virtual void finish(std::span<const std::uint32_t> order,
                      std::span<const std::uint64_t> row_counts, std::byte* results) = 0;
  // Of finish()'s results, those that are too large for their 32 bits.
  virtual std::uint64_t wrapped() const { return 0; }
};

// Whether q has this aggregate for a column of this type ('type otherwise): count, first and last
// take any; min and max what has an order; sum numbers, temporals and chars; any and all booleans;
// count distinct all but lists; the rest numbers and temporals.
bool aggregate_takes(Aggregate aggregate, QType type);

// Whether it is made of a column's values: not count, first and last, which need row numbers only.
bool takes_values(Aggregate aggregate);

// Whether finish() needs to know how many rows a group has.
bool needs_row_counts(Aggregate aggregate);

// The result's type: count and count distinct long; any and all boolean; sum of booleans, bytes,
// chars, shorts and ints long (q's is int, and wraps); min, max, first, last, and sum of others the
// type itself; else float.
QType aggregate_type(Aggregate aggregate, QType type);

// Values between which most of a column's lie.
struct ValueRange {
  double low = 0;
  double high = 0;
};

// Of a sample of a field's values, nulls and infinities left out, and a margin. What must be
// unpacked for it is logged. Requires: a number or a temporal type; a field that is not virtual.
ValueRange sampled_range(const Schema& schema, std::span<const PartitionView> views,
                         AccessLog& accesses, std::size_t field);

// Groups whose medians may be found in two passes, at most: each has its buckets.
constexpr std::size_t kSelectedMedianGroupsMax = 256;

// Null where it takes no values. `weights`: of aggregates of two columns, else ignored. `codes`:
// code_count() of a count distinct's column, else ignored. `range`: of a median in two passes, the
// same of all aggregators that are merged; null: one pass, and else ignored.
std::unique_ptr<Aggregator> make_aggregator(Aggregate aggregate, QType type, QType weights,
                                            std::pmr::memory_resource& resource,
                                            std::uint64_t codes = 0,
                                            const ValueRange* range = nullptr);

// settle() and finish(), many groups by all of the pool's threads (null: by this one). `width`:
// bytes of a result.
void finish_groups(Aggregator& aggregator, std::span<const std::uint32_t> order,
                   std::span<const std::uint64_t> row_counts, std::size_t width, std::byte* results,
                   ThreadPool* pool);

// The kinds, for make_aggregator().
std::unique_ptr<Aggregator> make_extreme(QType type, bool is_max,
                                         std::pmr::memory_resource& resource);
// kSum or kAvg of integers and temporals; sums wrap, as q's do, averages do not.
std::unique_ptr<Aggregator> make_integer_sum(Aggregate aggregate, QType type,
                                             std::pmr::memory_resource& resource);
std::unique_ptr<Aggregator> make_float_sum(Aggregate aggregate, QType type,
                                           std::pmr::memory_resource& resource);
// Of exact sums of values and squares: kVar, kSampleVar, kDev and kSampleDev (s: divided by the
// values less one). Of pairs without a null: kWavg, the sum of products over that of weights;
// kWsum, the sum of products; kCov, kSampleCov and kCor.
std::unique_ptr<Aggregator> make_product_sum(Aggregate aggregate, QType type, QType weights,
                                             std::pmr::memory_resource& resource);
// Nulls are a value, and so are both zeros. Keeps every distinct value with its group.
// Where values are codes below `codes` (0: they are not), and groups few, as bits.
std::unique_ptr<Aggregator> make_distinct_count(QType type, std::uint64_t codes,
                                                std::pmr::memory_resource& resource);
std::unique_ptr<Aggregator> make_median(QType type, const ValueRange* range,
                                        std::pmr::memory_resource& resource);

}  // namespace hdbench
