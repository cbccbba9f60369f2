#include "bench/needed_columns.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <variant>

namespace hdbench {
namespace {

std::set<std::size_t> fields_of(const Plan& plan) {
  std::set<std::size_t> fields;
  for (const Output& output : plan.outputs) {
    if (output.field) fields.insert(*output.field);
    if (output.weights) fields.insert(*output.weights);
  }
  for (const GroupKey& key : plan.by) fields.insert(key.field);
  for (const Condition& condition : plan.where) fields.insert(condition.field);
  return fields;
}

// Whether a partition of this value is left by the condition on the partition field.
bool passes(const Test& test, std::int64_t value) {
  if (const auto* range = std::get_if<RangeTest>(&test)) {
    return range->low <= value && value <= range->high;
  }
  if (const auto* set = std::get_if<SetTest>(&test)) {
    return std::binary_search(set->keys.begin(), set->keys.end(), value);
  }
  return true;
}

}  // namespace

NeededColumns::NeededColumns(const Table& table)
    : table_(table), fields_by_part_(table.part_count()) {}

void NeededColumns::add(const Plan& plan) {
  const bool partitioned = table_.schema().partitioned;
  std::set<std::size_t> fields = fields_of(plan);
  if (partitioned) fields.erase(0);
  const bool prunes = prunes_partitions(plan, 0, partitioned);
  for (std::size_t part = 0; part < fields_by_part_.size(); ++part) {
    if (prunes && !passes(plan.where[0].test, table_.partition_value(part))) continue;
    fields_by_part_[part].insert(fields.begin(), fields.end());
  }
}

std::vector<NeededColumns::Place> NeededColumns::places() const {
  std::vector<Place> places;
  for (std::size_t part = 0; part < fields_by_part_.size(); ++part) {
    for (const std::size_t field : fields_by_part_[part]) places.push_back({part, field});
  }
  return places;
}

Status NeededColumns::map_all(ThreadPool& pool, const std::atomic<bool>& stop,
                              const OnProgress& progress) const {
  const std::vector<Place> all = places();
  std::mutex mutex;
  std::optional<Error> first_error;
  std::atomic<std::size_t> done{0};
  std::atomic<bool> failed{false};
  pool.run(all.size(), [&](std::size_t task, std::size_t) {
    if (stop || failed) return;
    const Result<const Column*> column = table_.column(all[task].part, all[task].field);
    if (!column.ok()) {
      const std::lock_guard lock(mutex);
      if (!first_error) first_error = column.error();
      failed = true;
    }
    progress(++done, all.size());
  });
  if (first_error) return *first_error;
  if (stop) return usage_error("interrupted");
  return ok_status();
}

}  // namespace hdbench
