#include "engine/exec/made_table.h"

#include <cstring>
#include <utility>

#include "engine/base/check.h"

namespace hdbench {
namespace {

// An aggregate of no rows at all has a domain of its own, of the null alone.
void settle_domain(ResultColumn& column, const Field& field, std::uint64_t rows,
                   std::pmr::memory_resource& resource) {
  if (field.type != QType::kSymbol || column.domain == field.domain) return;
  HDB_CHECK(rows <= 1 && column.domain->stored_size() == 0, "a result has its plan's domain");
  const std::uint64_t code = field.domain->null_code();
  column.width = sizeof(code);
  column.buffer = Buffer(resource, rows * sizeof(code));
  if (rows != 0) std::memcpy(column.buffer.data(), &code, sizeof(code));
  column.domain = field.domain;
}

Column view_of(const ResultTable& rows, const ResultColumn& made) {
  Column column;
  column.type = made.type;
  column.width = made.width;
  column.rows = rows.rows;
  column.data = made.buffer.data();
  column.domain = made.domain;
  column.has_null_codes = made.type == QType::kSymbol;
  column.source = made.name;
  column.keep_alive = rows.keep_alive;
  return column;
}

MemoryTable as_table(ResultTable& rows, const Schema& schema, std::pmr::memory_resource& resource) {
  MemoryTable::Part part;
  for (std::size_t c = 0; c < rows.columns.size(); ++c) {
    settle_domain(rows.columns[c], schema.fields[c], rows.rows, resource);
    part.columns.push_back(view_of(rows, rows.columns[c]));
  }
  std::vector<MemoryTable::Part> parts;
  parts.push_back(std::move(part));
  return MemoryTable("the rows of a query", schema, std::move(parts));
}

}  // namespace

MadeTable::MadeTable(ResultTable rows, const Schema& schema, std::pmr::memory_resource& resource)
    : rows_(std::move(rows)), table_(as_table(rows_, schema, resource)) {}

}  // namespace hdbench
