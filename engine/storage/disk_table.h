// A table of a database on disk: columns mapped when a query first asks for them.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/base/store.h"
#include "engine/column/table.h"
#include "engine/storage/narrow_codes.h"
#include "engine/storage/symbol_list.h"

namespace hdbench {

class DiskTable final : public Table {
 public:
  struct Part {
    std::int64_t value = 0;
    std::filesystem::path directory;  // "" where the partition lacks the table
  };
  // `parts` rise. The schema's real fields are the names in the newest directory's `.d`; a field's
  // type is that of the newest part that has its file. With Codes::kNarrow a symbol column is
  // narrowed into a region of `store` when it is asked for, straight from the page cache, so that
  // the stored codes are nowhere held. Errors: kData: a broken `.d`, a field without any file, a
  // broken header.
  static Result<std::shared_ptr<Table>> open(std::string name, const Field* partition_field,
                                             std::vector<Part> parts, std::shared_ptr<Store> store,
                                             std::shared_ptr<Domains> domains, Codes codes);
  ~DiskTable() override;

  const std::string& name() const override { return name_; }
  const Schema& schema() const override { return schema_; }
  std::size_t part_count() const override { return parts_.size(); }
  std::int64_t partition_value(std::size_t part) const override { return parts_[part].value; }
  Result<std::uint64_t> rows(std::size_t part) const override;
  Result<const Column*> column(std::size_t part, std::size_t field) const override;
  bool mend_codes(const void* column) const override;

 private:
  static constexpr std::size_t kLocks = 64;

  DiskTable() = default;
  std::size_t first_real() const { return schema_.partitioned ? 1 : 0; }
  std::filesystem::path file(std::size_t part, std::size_t field) const;
  Status add_field(const std::string& name);
  Result<Column> read(std::size_t part, std::size_t field) const;
  Result<Column> read_file(const std::filesystem::path& path, QType type) const;

  std::string name_;
  Schema schema_;
  std::vector<std::filesystem::path>
      type_sources_;  // by field: the file that its type was taken from
  std::vector<Part> parts_;
  std::vector<Column> empty_columns_;  // by real field, for parts that lack the table
  std::shared_ptr<Store> store_;
  std::shared_ptr<Store> page_cache_;  // what narrowed codes come from; null where none are
  std::shared_ptr<Domains> domains_;
  // Loaded columns by part and real field; null until the first request, made under one of the
  // locks.
  mutable std::vector<std::atomic<const Column*>> columns_;
  mutable std::vector<std::atomic<std::int64_t>> rows_;  // kRowsUnknown until known
  mutable std::mutex locks_[kLocks];
  // By real field: its columns are mended when they are read (mended_column()).
  mutable std::vector<std::atomic<bool>> mends_;
  // Columns that were replaced so.
  mutable std::mutex replaced_lock_;
  mutable std::vector<std::unique_ptr<const Column>> replaced_;
};

}  // namespace hdbench
