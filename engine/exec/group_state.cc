#include "engine/exec/group_state.h"

#include "engine/operator/group_key.h"

namespace hdbench {

GroupState::GroupState(const GroupTask& task, std::span<const std::uint64_t> cardinalities,
                       GroupRowNeeds needs, std::pmr::memory_resource& resource)
    : task_(task),
      resource_(resource),
      index_(cardinalities, resource),
      rows_(needs, resource),
      aggregators_(task.input.plan->outputs.size()),
      places_(&resource) {}

void GroupState::make_aggregators(Numbering numbering) {
  const Schema& schema = task_.input.schema();
  const bool may_select =
      numbering == Numbering::kBySlot && index_.slot_count() <= kSelectedMedianGroupsMax;
  for (std::size_t o = 0; o < aggregators_.size(); ++o) {
    const Output& output = task_.input.plan->outputs[o];
    const QType type = output.field ? schema.fields[*output.field].type : QType::kLong;
    const QType weights = output.weights ? schema.fields[*output.weights].type : QType::kLong;
    // Of a computed field no range of values is known.
    const bool is_plain = !output.field || *output.field < task_.input.first_computed();
    aggregators_[o] =
        output.aggregate == Aggregate::kMed && may_select && is_plain
            ? make_selected_median(type, task_.ranges[o], resource_)
            : make_aggregator(output.aggregate, type, weights, resource_, codes_of(output));
  }
}

std::uint64_t GroupState::codes_of(const Output& output) const {
  const Schema& schema = task_.input.schema();
  const bool counts_values = output.aggregate == Aggregate::kCountDistinct && output.field;
  // A partitioned table's first field is no column, but its partitions' values.
  if (!counts_values || (schema.partitioned && *output.field == 0)) return 0;
  return code_count(schema, task_.input.views, *output.field);
}

void GroupState::resize(std::size_t groups) {
  if (groups == group_count_) return;
  rows_.resize(groups);
  for (const auto& aggregator : aggregators_) {
    if (aggregator) aggregator->resize(groups);
  }
  group_count_ = groups;  // last: a limit may refuse a part of the room
}

void GroupState::settle() {
  const std::span<const std::uint64_t> counts = rows_.counts();
  for (std::uint32_t slot = 0; slot < counts.size(); ++slot) {
    if (counts[slot] == 0 && !task_.keys.empty()) continue;
    index_.group_of_slot(slot);
    places_.push_back(slot);
  }
}

}  // namespace hdbench
