#include "engine/column/memory_table.h"

#include <unordered_set>
#include <utility>

#include "engine/base/check.h"
#include "engine/column/column.h"

namespace hdbench {

std::shared_ptr<const Domain> make_domain(std::string name, std::vector<std::string> symbols) {
  auto owned = std::make_shared<const std::vector<std::string>>(std::move(symbols));
  std::vector<std::string_view> views(owned->begin(), owned->end());
  return std::make_shared<const Domain>(std::move(name), std::move(views), std::move(owned));
}

std::optional<PartedIndex> make_parted_index(const Column& column) {
  PartedIndex index;
  std::unordered_set<std::int64_t> seen;
  for (std::uint64_t row = 0; row < column.rows; ++row) {
    const std::int64_t key = order_key_at(column, row);
    if (!index.keys.empty() && index.keys.back() == key) continue;
    if (!seen.insert(key).second) return std::nullopt;
    index.keys.push_back(key);
    index.offsets.push_back(static_cast<std::int64_t>(row));
  }
  index.offsets.push_back(static_cast<std::int64_t>(column.rows));
  return index;
}

MemoryTable::MemoryTable(std::string name, Schema schema, std::vector<Part> parts,
                         std::vector<std::string> notes)
    : name_(std::move(name)),
      schema_(std::move(schema)),
      parts_(std::move(parts)),
      notes_(std::move(notes)) {
  const std::size_t real_fields = schema_.fields.size() - (schema_.partitioned ? 1 : 0);
  HDB_CHECK(schema_.partitioned || parts_.size() == 1, "a table without partitions has one part");
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    HDB_CHECK(part.columns.size() == real_fields, "a column for every real field");
    HDB_CHECK(i == 0 || parts_[i - 1].partition_value <= part.partition_value, "parts rise");
    for (const Column& column : part.columns) {
      HDB_CHECK(column.rows == part.columns.front().rows, "columns of equal rows");
    }
  }
}

Result<std::uint64_t> MemoryTable::rows(std::size_t part) const {
  const std::vector<Column>& columns = parts_[part].columns;
  return columns.empty() ? std::uint64_t{0} : columns.front().rows;
}

Result<const Column*> MemoryTable::column(std::size_t part, std::size_t field) const {
  HDB_CHECK(!schema_.partitioned || field > 0, "the virtual field has no column");
  if (schema_.fields[field].unreadable) return *schema_.fields[field].unreadable;
  return &parts_[part].columns[schema_.partitioned ? field - 1 : field];
}

}  // namespace hdbench
