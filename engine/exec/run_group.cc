#include <algorithm>
#include <atomic>
#include <memory>
#include <memory_resource>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "engine/exec/group_worker.h"
#include "engine/exec/prefetcher.h"
#include "engine/exec/run_plan.h"
#include "engine/exec/spread_groups.h"
#include "engine/operator/filter.h"

namespace hdbench {
namespace {

using GroupOrder = std::pmr::vector<std::uint32_t>;

// Nothing where a morsel's rows may have any key of the index.
std::optional<FieldRange> keys_left(const QueryInput& input) {
  std::optional<FieldRange> left;
  for (const Morsel& morsel : input.morsels) {
    if (!morsel.index_key) return std::nullopt;
    const std::int64_t key = *morsel.index_key;
    if (!left) left = FieldRange{input.index_field, key, key};
    left->low = std::min(left->low, key);
    left->high = std::max(left->high, key);
  }
  return left;
}

// The lines of a result's rows, anywhere in the columns: requested here, they are there when the
// groups are in order. (Inlined: GCC 12 drops calls of functions that only prefetch.)
[[gnu::always_inline]] inline void fetch_rows(const QueryInput& input,
                                              std::span<const std::uint64_t> row_ids) {
  constexpr std::size_t kFetchedMax = 16;
  if (row_ids.size() > kFetchedMax) return;
  for (const Output& output : input.plan.outputs) {
    if (!output.field) continue;
    for (const std::uint64_t id : row_ids) {
      const Column* column = input.views[RowId::view(id)].columns[*output.field];
      if (column != nullptr) __builtin_prefetch(column->data + RowId::row(id) * column->width);
    }
  }
}

GroupRowNeeds needs_of(const QueryInput& input, std::span<const KeyColumn> keys) {
  return needs_of(input.plan, std::any_of(keys.begin(), keys.end(), [](const auto& key) {
                    return is_key_of_a_row(key.type);
                  }));
}

bool is_stored(const QueryInput& input, std::size_t field) {
  return !(input.schema().partitioned && field == 0) && field < input.first_computed();
}

using Workers = std::vector<std::optional<GroupWorker>>;

// Merges all into the first, which is there.
void merge_all(Workers& workers) {
  for (std::size_t worker = 1; worker < workers.size(); ++worker) {
    if (workers[worker]) workers[0]->merge(*workers[worker]);
    workers[worker].reset();
  }
}

PrefetchPass read_ahead(const QueryInput& input) {
  return {input, [&input](std::size_t m) { return group_fields(input, input.morsels[m]); }};
}

// Has the workers take all morsels. Where one of them meets too many groups, all rows are collected
// instead, those of the morsels that were taken once more, and the workers are gone.
std::unique_ptr<SpreadGroups> take_all(const GroupTask& task, std::span<AccessLog> accesses,
                                       Workers& workers) {
  const QueryInput& input = task.input;
  const QueryContext& context = *input.context;
  std::unique_ptr<SpreadGroups> spread;
  if (SpreadGroups::serves(task)) spread = std::make_unique<SpreadGroups>(task);
  std::atomic<bool> are_many = false;
  std::vector<std::vector<std::size_t>> taken(workers.size());  // morsels with rows, by worker
  const PrefetchPass ahead = read_ahead(input);
  for_each_morsel(input, [&](std::size_t m, std::size_t worker) {
    if (are_many.load(std::memory_order_relaxed))
      return spread->collect(m, worker, accesses[worker]);
    if (!workers[worker]) workers[worker].emplace(task, context.memory);
    const std::uint64_t rows_before = workers[worker]->rows_taken();
    workers[worker]->take(m, accesses[worker]);
    if (workers[worker]->rows_taken() != rows_before) taken[worker].push_back(m);
    if (spread && workers[worker]->has_many_groups(workers.size())) are_many = true;
  });
  if (!are_many) return nullptr;
  std::vector<std::size_t> again;
  for (const auto& morsels : taken) again.insert(again.end(), morsels.begin(), morsels.end());
  for (auto& worker : workers) worker.reset();
  // What they read was logged when they were taken first.
  std::vector<AccessLog> unlogged(workers.size(), AccessLog(input.schema().fields.size(), nullptr));
  context.pool.run(again.size(), [&](std::size_t i, std::size_t worker) {
    context.stop_if_asked();
    spread->collect(again[i], worker, unlogged[worker]);
  });
  return spread;
}

// The second pass, of those that need one.
void take_again(const GroupTask& task, std::span<AccessLog> accesses, Workers& workers) {
  GroupWorker& all = *workers[0];
  all.begin_second_pass(all);
  const PrefetchPass ahead = read_ahead(task.input);
  for_each_morsel(task.input, [&](std::size_t m, std::size_t worker) {
    if (!workers[worker]) {
      workers[worker].emplace(task, task.input.context->memory);
      workers[worker]->begin_second_pass(all);
    }
    workers[worker]->take(m, accesses[worker]);
  });
  merge_all(workers);
}

// By key, but for different rows: they are put into the order of their first rows later.
GroupOrder order_of(const GroupTask& task, const GroupState& groups) {
  const QueryInput& input = task.input;
  if (is_distinct(input.plan)) {
    GroupOrder order(groups.index().size(), &input.context->memory);
    std::iota(order.begin(), order.end(), 0u);
    return order;
  }
  auto order =
      sorted_groups(input.schema(), input.views, task.keys, groups.index(),
                    groups.rows().last_rows(), &input.context->pool, input.context->memory);
  if (!order.ok()) throw QueryStop{order.error()};
  return std::move(*order);
}

}  // namespace

ResultTable run_group(const QueryInput& input, std::span<AccessLog> accesses) {
  const TablePlan& plan = input.plan;
  GroupTask task{
      input, make_key_columns(input.schema(), plan.by, input.views, keys_left(input)), {}, {}};
  task.needs = needs_of(input, task.keys);
  for (const Output& output : plan.outputs) {
    task.ranges.push_back(
        output.aggregate == Aggregate::kMed && is_stored(input, *output.field)
            ? sampled_range(input.schema(), input.views, accesses.front(), *output.field)
            : ValueRange{});
  }
  ThreadPool& pool = input.context->pool;
  Workers workers(pool.size());
  workers[0].emplace(task, input.context->memory);
  if (const auto spread = take_all(task, accesses, workers)) return spread->finish(accesses);
  merge_all(workers);
  GroupWorker& all = *workers[0];
  if (all.needs_second_pass()) take_again(task, accesses, workers);
  all.settle_groups();
  const GroupState& groups = all.state();
  const std::span<const std::uint64_t> last_rows = groups.rows().last_rows();
  if (plan.last_rows) fetch_rows(input, last_rows);
  prefetch_rows(input, last_rows);
  prefetch_rows(input, groups.rows().first_rows());
  GroupOrder order = order_of(task, groups);
  std::erase_if(order, [&](std::uint32_t group) {
    const auto count = static_cast<std::int64_t>(
        plan.having.empty() ? 0 : groups.rows().counts()[groups.place(group)]);
    return std::any_of(plan.having.begin(), plan.having.end(),
                       [&](const Condition& condition) { return !passes(condition, count); });
  });
  ResultTable table = make_group_result(task, groups, order, &pool, accesses[0]);
  for (const ResultColumn& column : table.columns)
    accesses[0].write(column.buffer.data(), column.buffer.bytes());
  return table;
}

PartialGroups run_partial_group(const QueryInput& input, std::span<AccessLog> accesses) {
  const TablePlan& plan = input.plan;
  std::pmr::memory_resource& memory = input.context->memory;
  GroupTask task{input,
                 make_key_columns(input.schema(), plan.by, input.views, keys_left(input)),
                 {},
                 {},
                 /*is_partial=*/true};
  task.needs = needs_of(input, task.keys);
  // One group without a key is there even if it has no rows: then it says nothing.
  task.needs.counts |= plan.by.empty();
  Workers workers(input.context->pool.size());
  workers[0].emplace(task, memory);
  const PrefetchPass ahead = read_ahead(input);
  for_each_morsel(input, [&](std::size_t m, std::size_t worker) {
    if (!workers[worker]) workers[worker].emplace(task, memory);
    workers[worker]->take(m, accesses[worker]);
  });
  merge_all(workers);
  GroupWorker& all = *workers[0];
  all.settle_groups();
  GroupState& groups = all.state();
  GroupOrder order(groups.index().size(), &memory);
  std::iota(order.begin(), order.end(), 0u);
  GroupOrder places(&memory);
  for (const std::uint32_t group : order) places.push_back(groups.place(group));
  if (plan.by.empty() && groups.rows().counts()[places.front()] == 0) {
    order.clear();
    places.clear();
  }
  PartialGroups partial(memory);
  const auto in_order = [&](std::span<const std::uint64_t> from, auto& to) {
    for (const std::uint32_t place : places) {
      if (!from.empty()) to.push_back(from[place]);
    }
  };
  in_order(groups.rows().counts(), partial.counts);
  in_order(groups.rows().first_rows(), partial.first_rows);
  in_order(groups.rows().last_rows(), partial.last_rows);
  groups.save(places, partial.states);
  partial.table = make_group_result(task, groups, order, &input.context->pool, accesses[0]);
  return partial;
}

GroupRowNeeds needs_of(const TablePlan& plan, bool has_keys_of_rows) {
  GroupRowNeeds needs;
  for (const Output& output : plan.outputs) {
    needs.counts |= needs_row_counts(output.aggregate);
    needs.first |=
        output.aggregate == Aggregate::kFirst || output.aggregate == Aggregate::kFirstRow;
    needs.last |= output.aggregate == Aggregate::kLast || output.aggregate == Aggregate::kNone;
  }
  needs.last |= plan.last_rows || has_keys_of_rows;
  return needs;
}

bool is_of_a_row(const Output& output) {
  return output.aggregate == Aggregate::kNone || output.aggregate == Aggregate::kLast ||
         output.aggregate == Aggregate::kFirst;
}

}  // namespace hdbench
