// A table in memory, for tests, benchmarks and tables that other rooms build.
//
// Columns own their bytes. The table is partitioned if it is made with partition values, else it
// has one part and no virtual field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/column/table.h"

namespace hdbench {

// A column that owns a copy of `values`. For symbols T is an integer of 1, 2, 4 or 8 bytes, read as
// unsigned, and a domain is given.
template <typename T>
Column make_column(QType type, std::span<const T> values,
                   std::shared_ptr<const Domain> domain = nullptr) {
  auto owned = std::make_shared<std::vector<T>>(values.begin(), values.end());
  Column column;
  column.type = type;
  column.width = sizeof(T);
  column.rows = owned->size();
  column.data = reinterpret_cast<const std::byte*>(owned->data());
  column.domain = std::move(domain);
  column.keep_alive.push_back(std::move(owned));
  return column;
}

// A domain that owns its texts.
std::shared_ptr<const Domain> make_domain(std::string name, std::vector<std::string> symbols);

// The p# index of a column of integers or codes, or nothing where equal values are not adjacent
// ('u-fail).
std::optional<PartedIndex> make_parted_index(const Column& column);

class MemoryTable final : public Table {
 public:
  struct Part {
    std::int64_t partition_value = 0;
    std::vector<Column> columns;  // the real fields, in schema order
  };
  // Requires: every part has a column for every real field (without data where it is unreadable),
  // all of equal rows within a part; parts rise.
  MemoryTable(std::string name, Schema schema, std::vector<Part> parts,
              std::vector<std::string> notes = {});

  const std::string& name() const override { return name_; }
  const Schema& schema() const override { return schema_; }
  std::vector<std::string> notes() const override { return notes_; }
  std::size_t part_count() const override { return parts_.size(); }
  std::int64_t partition_value(std::size_t part) const override {
    return parts_[part].partition_value;
  }
  Result<std::uint64_t> rows(std::size_t part) const override;
  Result<const Column*> column(std::size_t part, std::size_t field) const override;

 private:
  std::string name_;
  Schema schema_;
  std::vector<Part> parts_;
  std::vector<std::string> notes_;
};

}  // namespace hdbench
