#include "engine/operator/unpacking.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "engine/kernel/bits.h"
#include "engine/operator/query_context.h"

namespace hdbench {
namespace {

std::uint64_t value_or_stop(const Result<std::uint64_t>& stored_bytes) {
  if (!stored_bytes.ok()) throw QueryStop{stored_bytes.error()};
  return *stored_bytes;
}

}  // namespace

Unpacking::~Unpacking() { let_go(); }

void Unpacking::let_go() {
  for (const auto& file : files_) file->detach(this);
  files_.clear();
  if (const std::uint64_t bytes = charged_bytes_.exchange(0); bytes != 0) charge_.give_back(bytes);
}

void Unpacking::give_up(const Column& column) {
  if (column.packed == nullptr) return;
  const std::uint64_t bytes = column.packed->give_up();
  charged_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  if (bytes != 0) charge_.give_back(bytes);
}

void Unpacking::attach(const Column& column) {
  attach(column.packed);
  attach(column.packed_heap);
}

void Unpacking::attach(const std::shared_ptr<PackedFile>& file) {
  if (file == nullptr) return;
  const std::lock_guard lock(lock_);
  if (files_.insert(file).second) file->attach(this);
}

void Unpacking::add_block(Bytes stored, std::uint64_t plain_bytes) {
  charge_.take(plain_bytes);
  charged_bytes_.fetch_add(plain_bytes, std::memory_order_relaxed);
  unpacked_bytes_.fetch_add(plain_bytes, std::memory_order_relaxed);
  if (meter_ == nullptr) return;
  meter_->access({stored.data(), stored.size(), 1, nullptr, stored.size(), AccessKind::kRead, 0});
}

std::uint64_t unpack_rows(const Column& column, RowRange rows, const std::uint64_t* bits) {
  std::uint64_t stored_bytes = 0;
  if (column.packed != nullptr && rows.rows() != 0) {
    const std::byte* const first = column.data + rows.begin * column.width;
    if (bits == nullptr) {
      stored_bytes = value_or_stop(column.packed->need({first, rows.rows() * column.width}));
    } else {
      const std::span words(bits, words_for(static_cast<std::size_t>(rows.rows())));
      stored_bytes = value_or_stop(column.packed->need(first, column.width, words, rows.rows()));
    }
  }
  // A cell may lie anywhere in it.
  if (column.packed_heap != nullptr)
    stored_bytes += value_or_stop(column.packed_heap->need(column.packed_heap->bytes()));
  return stored_bytes;
}

std::uint64_t unpack_single_rows(std::span<const Column* const> columns,
                                 std::span<const std::uint64_t> rows, ThreadPool* pool) {
  struct Block {
    PackedFile* file;
    std::size_t number;
  };
  std::vector<Block> blocks;
  std::vector<std::vector<bool>> wanted(columns.size());
  for (const std::uint64_t row : rows) {
    const std::size_t view = RowId::view(row);
    const Column* const column = columns[view];
    if (column == nullptr) continue;
    std::vector<bool>& of_view = wanted[view];
    const bool is_first = of_view.empty();
    if (column->packed != nullptr) {
      of_view.resize(column->packed->zipped().block_count());
      const std::byte* const at = column->data + RowId::row(row) * column->width;
      for (const std::byte* end : {at, at + column->width - 1}) {
        const std::size_t number = column->packed->block_of(end);
        if (!of_view[number]) blocks.push_back({column->packed.get(), number});
        of_view[number] = true;
      }
    }
    // A cell may lie anywhere in it.
    if (column->packed_heap == nullptr || !is_first) continue;
    of_view.resize(std::max<std::size_t>(1, of_view.size()));
    PackedFile& heap = *column->packed_heap;
    for (std::size_t number = 0; number < heap.zipped().block_count(); ++number)
      blocks.push_back({&heap, number});
  }
  std::atomic<std::uint64_t> stored_bytes{0};
  const auto unpack = [&](std::size_t at, std::size_t) {
    const Block& block = blocks[at];
    stored_bytes += value_or_stop(block.file->need(block.file->block(block.number)));
  };
  if (pool != nullptr) {
    pool->run(blocks.size(), unpack);
  } else {
    for (std::size_t at = 0; at < blocks.size(); ++at) unpack(at, 0);
  }
  return stored_bytes;
}

std::uint64_t unpack_bytes(const Column& column, Bytes bytes) {
  return value_or_stop(column.packed->need(bytes));
}

}  // namespace hdbench
