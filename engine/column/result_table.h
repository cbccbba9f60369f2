// A query's result: columns in memory allocated from a workspace.
//
// Owns its buffers, and must be destroyed before that workspace. Symbols keep their codes and share
// the domain; nested cells point into the table's columns, whose keep-alives are held here. Rows
// that another plan reads may be views of a table's columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

#include "engine/column/column.h"
#include "engine/column/type.h"

namespace hdbench {

// Bytes from a memory resource, given back when destroyed. Uninitialised when made. Or a view of
// bytes elsewhere, which its owner keeps alive and nobody writes.
class Buffer {
 public:
  Buffer() = default;
  Buffer(std::pmr::memory_resource& resource, std::size_t bytes);
  static Buffer view(const std::byte* data, std::size_t bytes, std::shared_ptr<const void> owner);
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  bool is_view() const { return resource_ == nullptr && data_ != nullptr; }

 private:
  std::pmr::memory_resource* resource_ = nullptr;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::shared_ptr<const void> owner_;  // of a view
};

struct ResultColumn {
  std::string name;
  QType type = QType::kLong;
  std::uint32_t width = 8;  // symbols: 1, 2, 4 or 8; nested: 16
  Buffer buffer;            // rows x width
  std::shared_ptr<const Domain> domain;
  // Sums of a 32-bit temporal that wrapped, as q's do.
  std::uint64_t wrapped = 0;
};

struct ResultTable {
  std::uint64_t rows = 0;
  // The first key_count columns are the keys of a keyed table.
  std::size_t key_count = 0;
  std::vector<ResultColumn> columns;
  std::vector<std::shared_ptr<const void>> keep_alive;
  // Of the right side of a join by time: it matches the rows alone whose bit is set (bits.h).
  // Empty: all.
  Buffer marks;

  std::uint64_t bytes() const;
};

// An aggregate of no rows at all has a domain of its own, of the null alone: gives it this one.
// What is no symbol, or has it, stays as it is. Requires: such an aggregate otherwise.
void settle_domain(ResultColumn& column, const std::shared_ptr<const Domain>& domain,
                   std::uint64_t rows, std::pmr::memory_resource& resource);

// XXH3-64 of names, types and values. Equal results give equal checksums whatever the code width
// (codes count as 8 bytes, nested cells by content). The same on every machine.
std::uint64_t checksum(const ResultTable& table);

}  // namespace hdbench
