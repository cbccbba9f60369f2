#include "engine/exec/prefetch_plan.h"

#include <algorithm>

namespace hdbench {
namespace {

// Morsels of one view, rows end to end, that read the same fields.
struct Batch {
  std::size_t view = 0;
  RowRange rows;
  std::vector<std::size_t> fields;
  std::size_t first_morsel = 0;
  std::uint64_t place = 0;  // of its first morsel in the worker's stretch
  std::size_t morsels = 0;

  bool goes_on_with(const Morsel& morsel, const std::vector<std::size_t>& its_fields) const {
    return rows.rows() + morsel.rows.rows() <= kPrefetchRows && view == morsel.view &&
           rows.end == morsel.rows.begin && fields == its_fields;
  }
};

// Of the morsels [begin, end), which one worker takes in this order.
std::vector<Batch> batches_of(const QueryInput& input, std::size_t begin, std::size_t end,
                              const FieldsOfMorsel& fields_of) {
  std::vector<Batch> batches;
  for (std::size_t m = begin; m < end; ++m) {
    std::vector<std::size_t> fields = fields_of(m);
    if (fields.empty()) continue;
    const Morsel& morsel = input.morsels[m];
    if (!batches.empty() && batches.back().goes_on_with(morsel, fields)) {
      batches.back().rows.end = morsel.rows.end;
      ++batches.back().morsels;
    } else {
      batches.push_back({morsel.view, morsel.rows, std::move(fields), m, m - begin, 1});
    }
  }
  return batches;
}

// One block of each of the batches' fields, the fields in turn.
void add_blocks(const QueryInput& input, const std::vector<const Batch*>& batches,
                std::size_t workers, PrefetchPlan& plan) {
  const std::size_t blocks_before = plan.blocks.size();
  std::size_t fields_max = 0;
  for (const Batch* batch : batches) fields_max = std::max(fields_max, batch->fields.size());
  for (std::size_t f = 0; f < fields_max; ++f) {
    for (const Batch* batch : batches) {
      if (f >= batch->fields.size()) continue;
      const Column& column = *input.views[batch->view].columns[batch->fields[f]];
      const std::size_t bytes = batch->rows.rows() * column.width;
      plan.blocks.push_back({{column.data + batch->rows.begin * column.width, bytes},
                             batch->place * workers,
                             batch->first_morsel,
                             batch->morsels});
      plan.bytes += bytes;
    }
  }
  plan.blocks_at_once = std::max(plan.blocks_at_once, plan.blocks.size() - blocks_before);
}

// The columns behind a field.
void add_once(std::vector<std::size_t>& fields, const QueryInput& input, const PartitionView& view,
              std::size_t field) {
  input.for_each_column(field, [&](std::size_t column) {
    if (view.columns[column] == nullptr) return;
    if (std::find(fields.begin(), fields.end(), column) == fields.end()) fields.push_back(column);
  });
}

}  // namespace

PrefetchPlan prefetch_plan(const QueryInput& input, std::size_t workers,
                           const FieldsOfMorsel& fields_of) {
  PrefetchPlan plan;
  plan.morsels = input.morsels.size();
  const std::size_t tasks = input.task_count();
  if (tasks == 1) workers = 1;
  std::vector<std::vector<Batch>> stretches;
  std::size_t rounds = 0;
  for (std::size_t worker = 0; worker < workers; ++worker) {
    // As ThreadPool::run() gives them out.
    const std::size_t begin = input.task_starts[tasks * worker / workers];
    const std::size_t end = input.task_starts[tasks * (worker + 1) / workers];
    stretches.push_back(batches_of(input, begin, end, fields_of));
    rounds = std::max(rounds, stretches.back().size());
  }
  for (std::size_t round = 0; round < rounds; ++round) {
    std::vector<const Batch*> batches;
    for (const auto& stretch : stretches) {
      if (round >= stretch.size()) continue;
      batches.push_back(&stretch[round]);
      plan.block_morsels_max =
          std::max<std::uint64_t>(plan.block_morsels_max, stretch[round].morsels);
    }
    add_blocks(input, batches, workers, plan);
  }
  return plan;
}

bool is_of_a_row(Aggregate aggregate) {
  return aggregate == Aggregate::kNone || aggregate == Aggregate::kFirst ||
         aggregate == Aggregate::kLast;
}

std::vector<std::size_t> filter_fields(const QueryInput& input, const Morsel& morsel) {
  std::vector<std::size_t> fields;
  for (const Condition& condition : input.conditions(morsel))
    add_once(fields, input, input.views[morsel.view], condition.field);
  return fields;
}

std::vector<std::size_t> output_fields(const QueryInput& input) {
  std::vector<std::size_t> fields;
  if (input.views.empty()) return fields;
  for (const Output& output : input.plan.outputs)
    add_once(fields, input, input.views.front(), *output.field);
  return fields;
}

std::vector<std::size_t> group_fields(const QueryInput& input, const Morsel& morsel) {
  const PartitionView& view = input.views[morsel.view];
  std::vector<std::size_t> fields = filter_fields(input, morsel);
  for (const GroupKey& key : input.plan.by) {
    const bool is_fixed = morsel.index_key && key.field == input.index_field;
    if (!is_fixed) add_once(fields, input, view, key.field);
  }
  for (const Output& output : input.plan.outputs) {
    const bool has_values = output.field && output.aggregate != Aggregate::kCount;
    if (has_values && !is_of_a_row(output.aggregate)) add_once(fields, input, view, *output.field);
    if (output.weights) add_once(fields, input, view, *output.weights);
  }
  return fields;
}

}  // namespace hdbench
