// A plan's result as a table that another plan reads.
#pragma once

#include <string>

#include "engine/column/memory_table.h"
#include "engine/column/result_table.h"

namespace hdbench {

class MadeTable {
 public:
  // `schema`: as the outer plan was bound to it. Symbols of another domain than the schema's become
  // codes of that one. Memory comes from the resource.
  MadeTable(ResultTable rows, const Schema& schema, std::pmr::memory_resource& resource);

  const Table& table() const { return table_; }
  const ResultTable& rows() const { return rows_; }
  // Ends the table.
  ResultTable take() && { return std::move(rows_); }

 private:
  ResultTable rows_;
  MemoryTable table_;
};

}  // namespace hdbench
