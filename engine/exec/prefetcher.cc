#include "engine/exec/prefetcher.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "engine/base/check.h"
#include "engine/operator/filter.h"

namespace hdbench {
namespace {

// More rows than this lie so close together that the kernel's own reading ahead serves them.
constexpr std::size_t kRowsMax = 65536;

constexpr std::size_t kRowSamples = 8;

}  // namespace

std::unique_ptr<ReadAheadWaiter> ReadAheadWaiter::begin(Store& store, const PrefetchPlan& plan) {
  PassOrder order;
  order.at_once = plan.blocks_at_once;
  order.blocks.reserve(plan.blocks.size());
  for (const PrefetchBlock& block : plan.blocks) order.blocks.push_back(block.bytes);
  std::unique_ptr<PassReader> reader = store.read_pass(order);
  if (!reader) return nullptr;
  return std::unique_ptr<ReadAheadWaiter>(new ReadAheadWaiter(std::move(reader), plan));
}

ReadAheadWaiter::ReadAheadWaiter(std::unique_ptr<PassReader> reader, const PrefetchPlan& plan)
    : reader_(std::move(reader)),
      by_field_(plan.by_field),
      batch_of_(plan.morsels, 0),
      batches_(1),
      morsels_left_(std::make_unique<std::atomic<std::size_t>[]>(plan.blocks.size())) {
  for (std::size_t b = 0; b < plan.blocks.size(); ++b) {
    const PrefetchBlock& block = plan.blocks[b];
    const auto first = batch_of_.begin() + static_cast<std::ptrdiff_t>(block.first_morsel);
    if (*first == 0) {
      std::fill(first, first + static_cast<std::ptrdiff_t>(block.morsels),
                static_cast<std::uint32_t>(batches_.size()));
      batches_.emplace_back();
    }
    batches_[*first].push_back(b);
    morsels_left_[b].store(block.morsels, std::memory_order_relaxed);
  }
}

const ReadAheadWaiter::Batch& ReadAheadWaiter::batch(std::size_t morsel) const {
  return batches_[batch_of_[morsel]];
}

void ReadAheadWaiter::end_one(std::size_t block) {
  if (morsels_left_[block].fetch_sub(1, std::memory_order_acq_rel) == 1) reader_->release(block);
}

void ReadAheadWaiter::begin_morsel(std::size_t morsel) {
  if (by_field_) return;
  // The last one first: whoever waits for it is woken once, not by every block.
  const Batch& blocks = batch(morsel);
  for (std::size_t b = blocks.size(); b-- > 0;) reader_->await(blocks[b]);
}

void ReadAheadWaiter::end_morsel(std::size_t morsel) {
  if (by_field_) return;
  for (const std::size_t block : batch(morsel)) end_one(block);
}

void ReadAheadWaiter::begin_field(std::size_t morsel, std::size_t place) {
  HDB_DCHECK(by_field_ && place < batch(morsel).size(), "a field that the pass reads");
  reader_->await(batch(morsel)[place]);
}

void ReadAheadWaiter::end_field(std::size_t morsel, std::size_t place) {
  end_one(batch(morsel)[place]);
}

Prefetcher::Prefetcher(Store& store, std::span<const int> cpus)
    : store_(store), note_(store.expect_passes(cpus)), thread_([this] { loop(); }) {
  if (cpus.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(cpu, &set);
  // A refusal costs speed, not truth.
  pthread_setaffinity_np(thread_.native_handle(), sizeof(set), &set);
}

Prefetcher::~Prefetcher() {
  end();
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Prefetcher::begin(PrefetchPlan plan, std::size_t workers, Again again) {
  plan_ = std::move(plan);
  const std::uint64_t bytes_a_morsel =
      std::max<std::uint64_t>(1, plan_.bytes / std::max<std::uint64_t>(1, plan_.morsels));
  window_morsels_ =
      std::max<std::uint64_t>(2 * plan_.block_morsels_max * workers, kWindowBytes / bytes_a_morsel);
  morsels_begun_.store(0, std::memory_order_relaxed);
  ended_.store(false, std::memory_order_relaxed);
  first_ = 0;
  if (!something_is_missing()) return;
  if (again == Again::kNo) awaited_ = ReadAheadWaiter::begin(store_, plan_);
  if (awaited_) return;
  for (std::size_t begun = 0; first_ < plan_.blocks.size() && begun < workers; ++first_) {
    if (store_.will_need(plan_.blocks[first_].bytes) || begun > 0) ++begun;
  }
  if (first_ == plan_.blocks.size()) return;
  {
    const std::lock_guard lock(mutex_);
    open_ = true;
  }
  changed_.notify_all();
}

bool Prefetcher::something_is_missing() {
  const std::size_t blocks = plan_.blocks.size();
  const std::size_t samples = std::min(blocks, kSamples);
  for (std::size_t k = 0; k < samples; ++k) {
    if (!store_.is_in_memory(plan_.blocks[k * blocks / samples].bytes)) return true;
  }
  return false;
}

void Prefetcher::end() {
  awaited_.reset();
  ended_.store(true, std::memory_order_relaxed);
  std::unique_lock lock(mutex_);
  open_ = false;
  changed_.notify_all();
  changed_.wait(lock, [&] { return !busy_; });
}

void Prefetcher::note_morsel() {
  morsels_begun_.fetch_add(1, std::memory_order_seq_cst);
  if (!waits_.load(std::memory_order_seq_cst)) return;
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

void Prefetcher::loop() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return open_ || quit_; });
    if (quit_) return;
    open_ = false;
    busy_ = true;
    lock.unlock();
    read_ahead_or_leave();
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  }
}

// No exception may leave the thread. What is not read ahead is read when touched.
void Prefetcher::read_ahead_or_leave() noexcept {
  try {
    read_ahead();
  } catch (const std::exception&) {
    waits_.store(false, std::memory_order_relaxed);
  }
}

bool Prefetcher::may_read(const PrefetchBlock& block) const {
  return block.morsels_before <= morsels_begun_.load(std::memory_order_seq_cst) + window_morsels_;
}

void Prefetcher::read_ahead() {
  for (std::size_t b = first_; b < plan_.blocks.size(); ++b) {
    const PrefetchBlock& block = plan_.blocks[b];
    if (!may_read(block)) {
      std::unique_lock lock(mutex_);
      waits_.store(true, std::memory_order_seq_cst);
      changed_.wait(lock,
                    [&] { return may_read(block) || ended_.load(std::memory_order_relaxed); });
      waits_.store(false, std::memory_order_relaxed);
    }
    if (ended_.load(std::memory_order_relaxed)) return;
    store_.will_need(block.bytes);
  }
}

PrefetchPass::PrefetchPass(const QueryInput& input, const FieldsOfMorsel& fields_of, Again again,
                           bool by_field)
    : prefetcher_(input.prefetcher) {
  if (prefetcher_ == nullptr) return;
  const std::size_t workers = input.context->pool.size();
  PrefetchPlan plan = prefetch_plan(input, workers, fields_of);
  plan.by_field = by_field;
  prefetcher_->begin(std::move(plan), workers, again);
}

void prefetch_indexes(const QueryInput& input) {
  const auto candidate = index_candidate(input.plan, input.table->schema());
  if (input.prefetcher == nullptr || !candidate) return;
  const Condition& condition = input.plan.where[*candidate];
  for (const PartitionView& view : input.views) {
    const Column& column = *view.columns[condition.field];
    if (can_use_index(condition, column)) input.prefetcher->will_need(column.index_bytes);
  }
}

void prefetch_rows(const QueryInput& input, std::span<const std::uint64_t> row_ids) {
  if (input.prefetcher == nullptr || row_ids.empty() || row_ids.size() > kRowsMax) return;
  std::vector<bool> shown(input.schema().fields.size(), false);
  const auto show = [&](std::size_t field) { shown[field] = true; };
  for (const GroupKey& key : input.plan.by) input.for_each_column(key.field, show);
  for (const Output& output : input.plan.outputs) {
    if (output.field && is_of_a_row(output.aggregate)) input.for_each_column(*output.field, show);
  }
  const auto ask = [&](std::size_t field, std::uint64_t id) {
    if (RowId::view(id) >= input.views.size()) return false;  // a group of no rows
    const PartitionView& view = input.views[RowId::view(id)];
    const Column* column = view.columns[field];
    if (column == nullptr || RowId::row(id) >= view.rows) return false;
    return input.prefetcher->will_need(
        {column->data + RowId::row(id) * column->width, column->width});
  };
  for (std::size_t field = 0; field < shown.size(); ++field) {
    if (!shown[field]) continue;
    // Where a few rows all over a column are in memory, so are the others.
    const std::size_t samples = std::min(kRowSamples, row_ids.size());
    bool missing = false;
    for (std::size_t k = 0; k < samples; ++k)
      missing |= ask(field, row_ids[k * row_ids.size() / samples]);
    if (!missing) continue;
    for (const std::uint64_t id : row_ids) ask(field, id);
  }
}

}  // namespace hdbench
