// A table of a database on disk: columns mapped when a query first asks for them.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "engine/base/map_budget.h"
#include "engine/base/store.h"
#include "engine/column/table.h"
#include "engine/storage/database_layout.h"
#include "engine/storage/narrow_codes.h"
#include "engine/storage/plain_file.h"
#include "engine/storage/symbol_list.h"

namespace hdbench {

// The column names of the newest directory whose `.d` can be read; newer ones become unreadable.
// Errors: the newest one's, where there is none. Requires: a directory.
Result<std::vector<std::string>> read_newest_columns(std::vector<TableDirectory>& directories);

// Why a directory of a table has no file for a column that the newest one names: its own `.d` names
// it, or it does not.
Error absent_column(const std::filesystem::path& directory, const std::string& name);

// What most of a part's columns say its rows are; of as many, the first. Requires: not empty.
std::uint64_t most_frequent(std::span<const std::uint64_t> counts);

struct DiskTableOptions {
  Codes codes = Codes::kStored;
  bool missing_as_null = false;
  // Columns that are compressed as stored stay so, but those whose codes are copied: narrow ones,
  // and those with nulls.
  Compressed compressed = Compressed::kUnpacked;
  // Of all tables of a database; null: maps are not counted.
  std::shared_ptr<MapBudget> maps = nullptr;
};

class DiskTable final : public Table {
 public:
  // `parts` rise. The schema's real fields are read_newest_columns(); a field's type is that of the
  // newest part where its header can be read. What cannot be read makes a field unreadable, or a
  // part, and not the table; a column that is named as the partition field is hidden by it. With
  // Codes::kNarrow a symbol column is narrowed into a region of `store` when it is requested,
  // straight from the page cache, so that the stored codes are nowhere held. Columns that a part's
  // `.d` does not name are an error there, or with `missing_as_null` nulls in a region of `store`.
  // Errors: kData: no `.d` that can be read.
  static Result<std::shared_ptr<Table>> open(std::string name, const Field* partition_field,
                                             std::vector<TableDirectory> parts,
                                             std::shared_ptr<Store> store,
                                             std::shared_ptr<Domains> domains,
                                             DiskTableOptions options);
  ~DiskTable() override;

  const std::string& name() const override { return name_; }
  const Schema& schema() const override { return schema_; }
  std::vector<std::string> notes() const override { return notes_; }
  std::size_t part_count() const override { return parts_.size(); }
  std::int64_t partition_value(std::size_t part) const override {
    return parts_[part].partition_value;
  }
  // Two columns whose headers agree settle it, else what most say: one that is broken decides
  // nothing.
  Result<std::uint64_t> rows(std::size_t part) const override;
  Result<const Column*> column(std::size_t part, std::size_t field) const override;
  // Columns without nulls stay; the others are let go when the table is, or its maps are.
  bool mend_codes(const void* column) const override;
  bool release_columns() const override;

 private:
  static constexpr std::size_t kLocks = 64;

  DiskTable() = default;
  void free_columns() const;
  std::size_t first_real() const { return schema_.partitioned ? 1 : 0; }
  // Whether the part counts as empty.
  bool is_lacking(std::size_t part) const {
    return parts_[part].path.empty() && parts_[part].unreadable.empty();
  }
  std::filesystem::path file(std::size_t part, std::size_t field) const;
  void add_field(const std::string& name);
  Result<std::uint64_t> count_rows(std::size_t part) const;
  Status count_maps(const Column& column) const;
  Result<Column> read(std::size_t part, std::size_t field) const;
  Result<Column> read_absent(std::size_t part, std::size_t field) const;
  Result<Column> read_file(const std::filesystem::path& path, QType type, bool mends) const;

  std::string name_;
  Schema schema_;
  std::vector<std::filesystem::path> type_sources_;  // by field: the file that its type is from
  std::vector<TableDirectory> parts_;
  std::vector<std::string> notes_;
  std::vector<Column> empty_columns_;  // by real field, for parts that lack the table
  std::shared_ptr<Store> store_;
  std::shared_ptr<Store> page_cache_;  // what narrowed codes come from; null where none are
  std::shared_ptr<Domains> domains_;
  DiskTableOptions options_;
  mutable std::atomic<std::uint64_t> maps_taken_{0};
  // Loaded columns by part and real field; null until the first request, made under one of the
  // locks.
  mutable std::vector<std::atomic<const Column*>> columns_;
  mutable std::vector<std::atomic<std::int64_t>> rows_;  // kRowsUnknown until known
  mutable std::mutex locks_[kLocks];
  // By real field: its columns are mended when they are read (mended_column()).
  mutable std::vector<std::atomic<bool>> mends_;
  // Columns that were replaced so; the lock is held while those of a field are.
  mutable std::mutex replaced_lock_;
  mutable std::vector<std::unique_ptr<const Column>> replaced_;
};

}  // namespace hdbench
