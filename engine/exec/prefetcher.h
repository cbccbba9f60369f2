// Reads ahead of the morsels, so that device and workers work at the same time.
//
// If the store can read a pass past its caches, and no later pass reads the same bytes, it does
// (ReadAheadWaiter), and morsels wait for it.
// Otherwise the prefetcher's own thread hands blocks to the store, a bounded number of bytes ahead
// of the morsels that have begun: enough to keep the device busy, and few enough that blocks of a
// table larger than memory are not evicted before they are read. The thread is started once and
// sleeps between passes.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "engine/base/store.h"
#include "engine/exec/prefetch_plan.h"

namespace hdbench {

// A pass that a store reads ahead (PassReader), by morsels: a morsel waits for the blocks that it
// reads, and the last reader of a block releases it.
class ReadAheadWaiter {
 public:
  // Null: the store does not read this pass ahead.
  static std::unique_ptr<ReadAheadWaiter> begin(Store& store, const PrefetchPlan& plan);

  // A worker begins a morsel, and has read it. Thread-safe. Requires: each morsel once at most. By
  // field these do nothing, and the next two are called.
  void begin_morsel(std::size_t morsel);
  void end_morsel(std::size_t morsel);

  // The same of one of its fields, the `place`th of those that it reads. Requires: a plan by field,
  // in which the morsel reads so many; each field of a morsel once at most.
  void begin_field(std::size_t morsel, std::size_t place);
  void end_field(std::size_t morsel, std::size_t place);

 private:
  // The blocks of the same rows, one of each field, in the order in which they are read.
  using Batch = std::vector<std::size_t>;

  ReadAheadWaiter(std::unique_ptr<PassReader> reader, const PrefetchPlan& plan);

  const Batch& batch(std::size_t morsel) const;  // empty: nothing was read ahead of it
  void end_one(std::size_t block);

  std::unique_ptr<PassReader> reader_;
  bool by_field_;
  std::vector<std::uint32_t> batch_of_;  // by morsel; 0: the empty one
  std::vector<Batch> batches_;
  std::unique_ptr<std::atomic<std::size_t>[]> morsels_left_;  // by block
};

// Whether a later pass of the query will read a pass's bytes again: then the page cache keeps them.
enum class Again : std::uint8_t { kNo, kYes };

class Prefetcher {
 public:
  // The store must outlive this. The thread may run on any of these processors, not only on the one
  // that a pool has pinned its maker to; none: where its maker may.
  Prefetcher(Store& store, std::span<const int> cpus);
  ~Prefetcher();
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;

  // Begins a pass on `workers` workers. Returns when the device has been requested each worker's
  // first blocks; otherwise the workers would read them in the kernel's own portions. The thread is
  // woken only when one of kSamples blocks, spread evenly over the pass, is not in memory: looking
  // at all of them would slow warm queries. Blocks between two samples that are not in memory are
  // read when they are touched.
  void begin(PrefetchPlan plan, std::size_t workers, Again again = Again::kNo);
  // Ends the pass, whether complete or not: no block is requested after this returns.
  void end();

  // A worker begins a morsel of the pass, and has read it. Thread-safe.
  void begin_morsel(std::size_t morsel) {
    if (awaited_)
      awaited_->begin_morsel(morsel);
    else
      note_morsel();
  }
  void end_morsel(std::size_t morsel) {
    if (awaited_) awaited_->end_morsel(morsel);
  }
  // As ReadAheadWaiter has them. Requires: the pass's plan is by field.
  void begin_field(std::size_t morsel, std::size_t place) {
    if (awaited_) awaited_->begin_field(morsel, place);
  }
  void end_field(std::size_t morsel, std::size_t place) {
    if (awaited_) awaited_->end_field(morsel, place);
  }

  // Why the store cannot read past its caches; empty where it can, or has none.
  const std::string& note() const { return note_; }

  // For a few bytes that no pass announces.
  bool will_need(std::span<const std::byte> bytes) { return store_.will_need(bytes); }

  // How far ahead it goes: about a tenth of a second of a fast device.
  static constexpr std::uint64_t kWindowBytes = std::uint64_t{256} << 20;
  static constexpr std::size_t kSamples = 32;

 private:
  void loop();
  void note_morsel();
  void read_ahead_or_leave() noexcept;
  void read_ahead();
  bool something_is_missing();
  bool may_read(const PrefetchBlock& block) const;

  Store& store_;
  std::string note_;
  std::unique_ptr<ReadAheadWaiter> awaited_;  // of the pass that is on
  PrefetchPlan plan_;
  std::size_t first_ = 0;  // block that the thread begins with
  std::uint64_t window_morsels_ = 0;
  std::atomic<std::uint64_t> morsels_begun_{0};
  std::atomic<bool> waits_{false};  // for morsels to begin

  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;  // a pass is on
  bool busy_ = false;  // the thread is at it
  bool quit_ = false;
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

// Reads ahead of one pass, until it is destroyed. Without a prefetcher it does nothing.
class PrefetchPass {
 public:
  PrefetchPass(const QueryInput& input, const FieldsOfMorsel& fields_of, Again again = Again::kNo,
               bool by_field = false);
  ~PrefetchPass() {
    if (prefetcher_ != nullptr) prefetcher_->end();
  }
  PrefetchPass(const PrefetchPass&) = delete;
  PrefetchPass& operator=(const PrefetchPass&) = delete;

  // As Prefetcher has them.
  void begin_field(std::size_t morsel, std::size_t place) const {
    if (prefetcher_ != nullptr) prefetcher_->begin_field(morsel, place);
  }
  void end_field(std::size_t morsel, std::size_t place) const {
    if (prefetcher_ != nullptr) prefetcher_->end_field(morsel, place);
  }

 private:
  Prefetcher* prefetcher_;
};

// Asks for the indexes that are read to cut the morsels.
void prefetch_indexes(const QueryInput& input);

// Asks for what a grouped result shows of these rows (RowIds) all at once, before they are read one
// by one: the keys, and the outputs that are values of a row.
void prefetch_rows(const QueryInput& input, std::span<const std::uint64_t> row_ids);

}  // namespace hdbench
