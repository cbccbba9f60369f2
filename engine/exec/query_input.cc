#include "engine/exec/query_input.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <optional>

#include "engine/exec/prefetcher.h"
#include "engine/exec/ranks.h"
#include "engine/expression/evaluator.h"
#include "engine/operator/filter.h"

namespace hdbench {
namespace {

Result<PartitionView> map_view(const Table& table, std::size_t part,
                               const std::vector<bool>& needed, std::size_t computed,
                               Unpacking& unpacking) {
  const Schema& schema = table.schema();
  PartitionView view;
  view.part = part;
  if (schema.partitioned) view.partition_value = table.partition_value(part);
  view.columns.resize(schema.fields.size() + computed, nullptr);
  HDB_ASSIGN(view.rows, table.rows(part));
  for (std::size_t field = 0; field < needed.size(); ++field) {
    if (!needed[field]) continue;
    HDB_ASSIGN(view.columns[field], table.column(part, field));
    if (view.columns[field]->is_packed()) unpacking.attach(*view.columns[field]);
  }
  return view;
}

// The rows of a view that an index has left, and the conditions that are still to be scanned.
struct PartitionRows {
  std::vector<IndexedRange> ranges;
  std::size_t first_condition = 0;
};

bool groups_by(const TablePlan& plan, std::size_t field) {
  return std::any_of(plan.by.begin(), plan.by.end(),
                     [&](const GroupKey& key) { return key.field == field; });
}

// The error of the first part that has one.
Status for_each_part(std::size_t parts, ThreadPool& pool,
                     const std::function<Status(std::size_t)>& work) {
  std::vector<std::optional<Error>> errors(parts);
  pool.run(parts, [&](std::size_t i, std::size_t) {
    const Status status = work(i);
    if (!status.ok()) errors[i] = status.error();
  });
  for (const auto& error : errors) {
    if (error) return *error;
  }
  return ok_status();
}

// An index is read whole. Not a column's bytes: the statistics leave it out.
void report_index(AccessMeter* meter, const Column& column) {
  const std::span<const std::byte> index = column.index_bytes;
  if (column.packed != nullptr && !index.empty()) unpack_bytes(column, index);
  if (meter == nullptr || index.empty() || column.packed != nullptr) return;
  meter->access({index.data(), index.size(), 1, nullptr, index.size(), AccessKind::kRead, 0});
}

Result<PartitionRows> partition_rows(const QueryInput& input, const PartitionView& view) {
  const Schema& schema = input.table->schema();
  const TablePlan& plan = input.plan;
  const ExecuteSettings& settings = input.context->settings;
  const std::size_t pruning = prunes_partitions(plan, 0, schema.partitioned) ? 1 : 0;
  PartitionRows rows{{{{0, view.rows}, std::nullopt}}, pruning};
  const auto candidate = settings.use_index ? index_candidate(plan, schema) : std::nullopt;
  if (!candidate) return rows;
  const Condition& condition = plan.where[*candidate];
  const Column& column = *view.columns[condition.field];
  if (!can_use_index(condition, column)) return rows;
  report_index(settings.meter, column);
  // A key that is grouped by is then known of a whole morsel, and its column is not read.
  const RangeForm form =
      groups_by(plan, condition.field) ? RangeForm::kOneKeyEach : RangeForm::kJoined;
  HDB_ASSIGN(rows.ranges, index_ranges(condition, column, form));
  rows.first_condition = *candidate + 1;
  return rows;
}

// Maps the views of the parts left, parts in parallel.
Status map_views(QueryInput& input) {
  const Table& table = *input.table;
  std::vector<std::size_t> parts = parts_left(table, input.plan);
  const Ranks* const ranks = input.context->settings.ranks;
  if (ranks != nullptr && !input.is_made && table.schema().partitioned)
    std::erase_if(parts,
                  [&](std::size_t part) { return !ranks->owns(table.partition_value(part)); });
  const std::vector<bool> needed = fields_read(table.schema(), input.plan);
  input.views.resize(parts.size());
  return for_each_part(parts.size(), input.context->pool, [&](std::size_t i) -> Status {
    HDB_ASSIGN(input.views[i], map_view(table, parts[i], needed, input.plan.computed.size(),
                                        *input.context->unpacking));
    return ok_status();
  });
}

// Asks the views' indexes, in parallel.
Result<std::vector<PartitionRows>> rows_of_all(const QueryInput& input) {
  if (input.context->settings.use_index) prefetch_indexes(input);
  std::vector<PartitionRows> rows(input.views.size());
  HDB_TRY(for_each_part(rows.size(), input.context->pool, [&](std::size_t i) -> Status {
    HDB_ASSIGN(rows[i], partition_rows(input, input.views[i]));
    return ok_status();
  }));
  return rows;
}

std::uint64_t count_rows(const std::vector<PartitionRows>& rows_by_view) {
  std::uint64_t count = 0;
  for (const PartitionRows& view : rows_by_view) {
    for (const IndexedRange& range : view.ranges) count += range.rows.rows();
  }
  return count;
}

void cut_morsels(const std::vector<PartitionRows>& rows_by_view, QueryInput& input) {
  const Mode mode = input.context->settings.mode;
  const std::uint64_t step = morsel_rows(count_rows(rows_by_view), input.context->pool.size());
  input.task_starts.push_back(0);
  for (std::size_t s = 0; s < rows_by_view.size(); ++s) {
    const PartitionRows& rows = rows_by_view[s];
    for (const IndexedRange& range : rows.ranges) {
      const std::uint64_t end = range.rows.end;
      for (std::uint64_t begin = range.rows.begin; begin < end; begin += step) {
        input.morsels.push_back(
            {s, {begin, std::min(begin + step, end)}, rows.first_condition, range.key});
        if (mode == Mode::k40) input.task_starts.push_back(input.morsels.size());
      }
    }
    if (input.task_starts.back() != input.morsels.size())
      input.task_starts.push_back(input.morsels.size());
  }
}

// How many morsels of each view a pass has before it; with the last one, what is unpacked of the
// view is given up.
class MorselsLeft {
 public:
  explicit MorselsLeft(const QueryInput& input) : input_(input) {
    const QueryContext& context = *input.context;
    if (context.settings.keep_unpacked != KeepUnpacked::kUntilPartitionRead ||
        !context.unpacking->is_used())
      return;
    left_ = std::vector<std::atomic<std::size_t>>(input.views.size());
    for (const Morsel& morsel : input.morsels) ++left_[morsel.view];
  }

  void end_morsel(std::size_t m) {
    if (left_.empty() || --left_[input_.morsels[m].view] != 0) return;
    for (const Column* column : input_.views[input_.morsels[m].view].columns) {
      // Groups point to their keys' lists until they are in order.
      if (column != nullptr && column->type != QType::kNested)
        input_.context->unpacking->give_up(*column);
    }
  }

 private:
  const QueryInput& input_;
  std::vector<std::atomic<std::size_t>> left_;
};

void add_computed(QueryInput& input) {
  input.extended = schema_with_computed(input.table->schema(), input.plan);
  for (const ComputedField& computed : input.plan.computed)
    input.computed_inputs.push_back(fields_of(computed.expression));
}

}  // namespace

std::uint64_t morsel_rows(std::uint64_t rows, std::size_t threads) {
  constexpr std::uint64_t kMorselsAThread = 16;
  const std::uint64_t share = rows / (kMorselsAThread * threads);
  return std::clamp(share / 64 * 64, kMorselRowsMin, kMorselRows);
}

std::uint64_t rows_of(const QueryInput& input) {
  return std::accumulate(
      input.morsels.begin(), input.morsels.end(), std::uint64_t{0},
      [](std::uint64_t rows, const Morsel& morsel) { return rows + morsel.rows.rows(); });
}

std::vector<std::size_t> parts_left(const Table& table, const TablePlan& plan) {
  std::vector<std::size_t> parts;
  const bool prunes = prunes_partitions(plan, 0, table.schema().partitioned);
  for (std::size_t part = 0; part < table.part_count(); ++part) {
    if (!prunes || passes(plan.where[0], table.partition_value(part))) parts.push_back(part);
  }
  return parts;
}

Schema schema_with_computed(const Schema& schema, const TablePlan& plan) {
  Schema extended = schema;
  for (const ComputedField& computed : plan.computed) {
    extended.fields.push_back(
        {computed.text, computed.expression.type(), Attribute::kNone, computed.expression.domain});
  }
  return extended;
}

std::vector<bool> fields_read(const Schema& schema, const TablePlan& plan) {
  std::vector<bool> needed(schema.fields.size(), false);
  const auto need = [&](std::size_t field) {
    if (field < needed.size()) {
      needed[field] = !schema.partitioned || field != 0;
      return;
    }
    for (const std::size_t input : fields_of(plan.computed[field - needed.size()].expression))
      needed[input] = !schema.partitioned || input != 0;
  };
  for (const Condition& condition : plan.where) need(condition.field);
  for (const GroupKey& key : plan.by) need(key.field);
  for (const Output& output : plan.outputs) {
    // A count needs rows, not values.
    if (output.field && output.aggregate != Aggregate::kCount) need(*output.field);
    if (output.weights) need(*output.weights);
  }
  return needed;
}

Result<QueryInput> make_query_input(const Table& table, const TablePlan& plan,
                                    QueryContext& context, bool is_made) {
  QueryInput input;
  input.table = &table;
  input.plan = plan;
  input.context = &context;
  input.is_made = is_made;
  if (!is_made) input.prefetcher = context.settings.prefetcher;
  input.parts_total = table.part_count();
  if (!plan.computed.empty()) add_computed(input);
  const Status mapped = map_views(input);
  if (!mapped.ok()) {
    input.views.clear();
    // Results of plans before this one may point into what they unpacked, and then hold it.
    if (context.unpacking.use_count() == 1) context.unpacking->let_go();
    if (!table.release_columns()) return mapped.error();
    HDB_TRY(map_views(input));
  }
  // Compressed columns are read when they are unpacked.
  if (context.unpacking->is_used()) input.prefetcher = nullptr;
  HDB_ASSIGN(const std::vector<PartitionRows> rows_by_view, rows_of_all(input));
  if (const auto candidate = index_candidate(plan, table.schema()))
    input.index_field = plan.where[*candidate].field;
  cut_morsels(rows_by_view, input);
  return input;
}

void for_each_morsel(const QueryInput& input,
                     const std::function<void(std::size_t, std::size_t)>& work) {
  MorselsLeft left(input);
  input.context->pool.run(input.task_count(), [&](std::size_t task, std::size_t worker) {
    for (std::size_t m = input.task_starts[task]; m < input.task_starts[task + 1]; ++m) {
      input.context->stop_if_asked();
      if (input.prefetcher != nullptr) input.prefetcher->begin_morsel(m);
      work(m, worker);
      left.end_morsel(m);
      if (input.prefetcher != nullptr) input.prefetcher->end_morsel(m);
    }
  });
}

}  // namespace hdbench
