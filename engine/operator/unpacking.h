// What a query has unpacked of columns that are compressed as stored: kept until the query ends,
// and until a result that points into it is dropped.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_set>

#include "engine/base/meter.h"
#include "engine/base/result.h"
#include "engine/base/thread_pool.h"
#include "engine/column/column.h"
#include "engine/operator/partition_view.h"
#include "engine/zip/packed_file.h"

namespace hdbench {

// Where unpacked bytes are charged: a workspace. Both may be called by several threads.
struct UnpackCharge {
  // May throw: no memory for them.
  std::function<void(std::uint64_t bytes)> take = [](std::uint64_t) {};
  std::function<void(std::uint64_t bytes)> give_back = [](std::uint64_t) {};
};

class Unpacking final : public UnpackAccount {
 public:
  // The meter, if there is one, is told of each compressed block that is read.
  Unpacking(UnpackCharge charge, AccessMeter* meter) : charge_(std::move(charge)), meter_(meter) {}
  ~Unpacking() override;
  Unpacking(const Unpacking&) = delete;
  Unpacking& operator=(const Unpacking&) = delete;

  // Before the column is read: its files stay attached as long as this object. Thread-safe.
  void attach(const Column& column);
  // Gives up all files, and what was unpacked of them: so that columns that are let go free their
  // maps. Requires: nothing that was unpacked is read any more.
  void let_go();
  // The same of one column, whose file stays attached, where no other query reads it. Thread-safe.
  void give_up(const Column& column);
  bool is_used() const { return !files_.empty(); }
  std::uint64_t unpacked_bytes() const { return unpacked_bytes_.load(std::memory_order_relaxed); }

  void add_block(Bytes stored, std::uint64_t plain_bytes) override;

 private:
  void attach(const std::shared_ptr<PackedFile>& file);

  UnpackCharge charge_;
  AccessMeter* meter_;
  std::mutex lock_;
  std::unordered_set<std::shared_ptr<PackedFile>> files_;
  std::atomic<std::uint64_t> charged_bytes_{0};
  std::atomic<std::uint64_t> unpacked_bytes_{0};  // in all
};

// Has these rows of a compressed column unpacked, all or those whose bit is set, and all cells of a
// nested one. Gives the compressed bytes that were read for it. Throws QueryStop where a block is
// broken. Requires: column.is_packed(), and an Unpacking that it is attached to.
std::uint64_t unpack_rows(const Column& column, RowRange rows, const std::uint64_t* bits);
// The same of single rows by RowId, the blocks that hold them shared out over the pool (null: this
// thread alone). columns: by view; null where a view has none, others may be no compressed ones.
std::uint64_t unpack_single_rows(std::span<const Column* const> columns,
                                 std::span<const std::uint64_t> rows, ThreadPool* pool);
// The same of other bytes of the column's file: its index.
std::uint64_t unpack_bytes(const Column& column, Bytes bytes);

}  // namespace hdbench
