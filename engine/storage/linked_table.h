// A table with columns that point to rows of other tables: linked columns and foreign keys
// (docs/hdb-format.md, "Links").
//
// The table beneath gives the pointers as rows of their target (longs). This one adds a field
// `link.column` for each column of each target, found by its name only, and shows a foreign key, a
// pointer to a table of one key column, as that key. What is followed is made when a part's column
// is first requested, in a region of the store: it costs the pointers and the target's column once,
// and queries then read its own bytes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/store.h"
#include "engine/column/table.h"
#include "engine/storage/narrow_codes.h"

namespace hdbench {

struct LinkTarget {
  std::shared_ptr<const Table> table;    // of one part
  std::size_t keys = 0;                  // its key columns, which come first; 0: not keyed
  std::optional<Error> unreadable = {};  // why there is no table: nor can its links be read
};

// A link's row that its table does not have: names the file, the byte offset and both figures.
Error row_outside_table(const Column& pointers, std::uint64_t row, std::int64_t pointer,
                        std::string_view table, std::uint64_t table_rows);

class LinkedTable final : public Table {
 public:
  // Targets by the names that the fields' `link` has; a link without one is a column of longs.
  // Symbols that are followed are as wide as the target's, or with Codes::kNarrow as narrow as
  // their domain allows.
  LinkedTable(std::shared_ptr<const Table> beneath, std::map<std::string, LinkTarget> targets,
              std::shared_ptr<Store> store, Codes codes = Codes::kStored);
  ~LinkedTable() override;

  const Table& beneath() const { return *beneath_; }
  // The same links of another table that has the fields of the one beneath.
  std::shared_ptr<Table> over(std::shared_ptr<const Table> other, std::shared_ptr<Store> store,
                              Codes codes) const {
    return std::make_shared<LinkedTable>(std::move(other), targets_, std::move(store), codes);
  }

  const std::string& name() const override { return beneath_->name(); }
  const Schema& schema() const override { return schema_; }
  std::size_t part_count() const override { return beneath_->part_count(); }
  std::vector<std::string> notes() const override { return beneath_->notes(); }
  std::int64_t partition_value(std::size_t part) const override {
    return beneath_->partition_value(part);
  }
  Result<std::uint64_t> rows(std::size_t part) const override { return beneath_->rows(part); }
  // Errors: kData also for a pointer beyond the target's rows, with its place. A null points to a
  // null.
  Result<const Column*> column(std::size_t part, std::size_t field) const override;
  bool release_columns() const override;
  bool mend_codes(const void* column) const override;

 private:
  // What a field is gathered through: the pointers' field beneath, the target's column.
  struct Path {
    std::size_t pointers = 0;
    const Table* target = nullptr;  // null: the field is the table's beneath
    std::size_t field = 0;
  };

  Path follow(std::size_t pointers, const LinkTarget& target, std::size_t field, Field& shown);
  Result<Column> gather(std::size_t part, std::size_t field) const;

  std::shared_ptr<const Table> beneath_;
  std::map<std::string, LinkTarget> targets_;
  std::shared_ptr<Store> store_;
  Codes codes_;
  Schema schema_;
  std::vector<Path> paths_;  // by field
  static constexpr std::size_t kLocks = 64;
  // Gathered columns by part and field; null until the first request, made under one of the locks.
  mutable std::vector<std::atomic<const Column*>> columns_;
  mutable std::mutex locks_[kLocks];
};

}  // namespace hdbench
