#include "bench/run/column_needs.h"

#include <algorithm>

#include "bench/run/needed_columns.h"
#include "bench/run/placement_notes.h"

namespace hdbench::bench {

std::vector<ColumnNeed> column_needs(const Table& table, const NeededColumns& needed) {
  const Schema& schema = table.schema();
  const std::uint64_t rows = rows_of(table);
  std::vector<ColumnNeed> needs;
  for (const Field& field : schema.fields)
    needs.push_back({table.name(), field.name, rows * type_width(field.type), 0});
  for (const NeededColumns::Place& place : needed.places()) {
    const auto column = table.column(place.part, place.field);
    if (!column.ok()) continue;
    needs[place.field].needed_bytes +=
        (*column)->bytes() + (*column)->heap.size() + (*column)->index_bytes.size();
  }
  for (ColumnNeed& need : needs) need.bytes = std::max(need.bytes, need.needed_bytes);
  for (std::size_t field = needs.size(); field > schema.own_fields(); --field) {
    if (needs[field - 1].needed_bytes == 0) needs.erase(needs.begin() + field - 1);
  }
  if (schema.partitioned) needs.erase(needs.begin());  // the partitions' own lies in no file
  return needs;
}

void merge_needs(std::vector<ColumnNeed>& all, const std::vector<ColumnNeed>& part) {
  for (const ColumnNeed& need : part) {
    const auto known = std::find_if(all.begin(), all.end(), [&](const ColumnNeed& one) {
      return one.table == need.table && one.column == need.column;
    });
    if (known == all.end()) {
      all.push_back(need);
      continue;
    }
    known->bytes = std::max(known->bytes, need.bytes);
    known->needed_bytes = std::max(known->needed_bytes, need.needed_bytes);
  }
}

}  // namespace hdbench::bench
