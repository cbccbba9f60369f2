#include "engine/column/result_table.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace hdbench {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kPrintedPieceRows = 4096;

struct HashState {
  HashState() : state(XXH3_createState()) {
    if (state == nullptr) throw std::bad_alloc();
    XXH3_64bits_reset(state);
  }
  HashState(const HashState&) = delete;
  HashState& operator=(const HashState&) = delete;
  ~HashState() { XXH3_freeState(state); }

  void add(const void* data, std::size_t bytes) { XXH3_64bits_update(state, data, bytes); }
  void add_number(std::uint64_t value) { add(&value, sizeof(value)); }
  void add_text(std::string_view text) {
    add_number(text.size());
    add(text.data(), text.size());
  }
  std::uint64_t digest() const { return XXH3_64bits_digest(state); }

  XXH3_state_t* state;
};

// Narrower codes are widened piece by piece, so that the width they are kept in does not show.
void add_codes(HashState& hash, const ResultColumn& column, std::uint64_t rows) {
  std::int64_t wide[kPrintedPieceRows];
  for (std::uint64_t row = 0; row < rows;) {
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(kPrintedPieceRows, rows - row));
    const std::byte* source = column.buffer.data() + row * column.width;
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t code = 0;
      std::memcpy(&code, source + i * column.width, column.width);
      wide[i] = static_cast<std::int64_t>(code);
    }
    hash.add(wide, count * sizeof(wide[0]));
    row += count;
  }
}

void add_cells(HashState& hash, const ResultColumn& column, std::uint64_t rows) {
  for (std::uint64_t row = 0; row < rows; ++row) {
    NestedCell cell;
    std::memcpy(&cell, column.buffer.data() + row * sizeof(cell), sizeof(cell));
    hash.add_number(cell.kind);
    hash.add_number(cell.is_atom ? 1 : 0);
    hash.add_number(cell.count);
    hash.add(cell.data, cell.bytes());
  }
}

}  // namespace

Buffer::Buffer(std::pmr::memory_resource& resource, std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  data_ = static_cast<std::byte*>(resource.allocate(bytes, kAlignment));
  resource_ = &resource;
}

Buffer Buffer::view(const std::byte* data, std::size_t bytes, std::shared_ptr<const void> owner) {
  Buffer view;
  view.data_ = const_cast<std::byte*>(data);
  view.bytes_ = bytes;
  view.owner_ = std::move(owner);
  return view;
}

Buffer::Buffer(Buffer&& other) noexcept
    : resource_(std::exchange(other.resource_, nullptr)),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)),
      owner_(std::move(other.owner_)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(resource_, other.resource_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(owner_, other.owner_);
  return *this;
}

Buffer::~Buffer() {
  if (resource_ != nullptr) resource_->deallocate(data_, bytes_, kAlignment);
}

std::uint64_t ResultTable::bytes() const {
  std::uint64_t total = 0;
  for (const ResultColumn& column : columns) total += column.buffer.bytes();
  return total;
}

void settle_domain(ResultColumn& column, const std::shared_ptr<const Domain>& domain,
                   std::uint64_t rows, std::pmr::memory_resource& resource) {
  if (column.type != QType::kSymbol || column.domain == domain) return;
  HDB_CHECK(rows <= 1 && column.domain->stored_size() == 0, "a result has its plan's domain");
  const std::uint64_t code = domain->null_code();
  column.width = sizeof(code);
  column.buffer = Buffer(resource, rows * sizeof(code));
  if (rows != 0) std::memcpy(column.buffer.data(), &code, sizeof(code));
  column.domain = domain;
}

std::uint64_t checksum(const ResultTable& table) {
  HashState hash;
  hash.add_number(table.rows);
  hash.add_number(table.key_count);
  for (const ResultColumn& column : table.columns) {
    hash.add_text(column.name);
    hash.add_number(static_cast<std::uint64_t>(column.type));
    if (column.type == QType::kNested) {
      add_cells(hash, column, table.rows);
    } else if (column.type == QType::kSymbol && column.width != 8) {
      add_codes(hash, column, table.rows);
    } else if (table.rows != 0) {
      hash.add(column.buffer.data(), table.rows * column.width);
    }
  }
  return hash.digest();
}

}  // namespace hdbench
