#include "bench/run/needed_columns.h"

#include <mutex>
#include <optional>

#include "engine/exec/query_input.h"
#include "engine/shaping/result_schema.h"

namespace hdbench::bench {
NeededColumns::NeededColumns(const Table& table)
    : table_(table), fields_by_part_(table.part_count()) {}

void NeededColumns::add(const Table& table, const Plan& plan) {
  for (const PlanLeaf& leaf : leaves_of(table, plan)) {
    if (&leaf.table != &table_) continue;
    const std::vector<bool> needed = fields_read(table_.schema(), leaf.plan);
    for (const std::size_t part : parts_left(table_, leaf.plan)) {
      for (std::size_t field = 0; field < needed.size(); ++field) {
        if (needed[field]) fields_by_part_[part].insert(field);
      }
    }
  }
}

std::vector<NeededColumns::Place> NeededColumns::places() const {
  std::vector<Place> places;
  for (std::size_t part = 0; part < fields_by_part_.size(); ++part) {
    for (const std::size_t field : fields_by_part_[part]) places.push_back({part, field});
  }
  return places;
}

Result<std::uint64_t> NeededColumns::bytes(Codes codes) const {
  std::uint64_t bytes = 0;
  for (const Place& place : places()) {
    const QType type = table_.schema().fields[place.field].type;
    const bool is_narrow = codes == Codes::kNarrow && type == QType::kSymbol;
    HDB_ASSIGN(const std::uint64_t rows, table_.rows(place.part));
    bytes += rows * (is_narrow ? 1 : type_width(type));
  }
  return bytes;
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

}  // namespace hdbench::bench
