#include "pmem/readahead/read_ahead.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <system_error>
#include <utility>

#include "engine/base/thread_pool.h"
#include "pmem/base/mapped_memory.h"
#include "pmem/base/region_source.h"

namespace hdbench::pmem {
namespace {

// Blocks that are smaller on average than this part of a chunk would leave slots almost empty.
constexpr std::size_t kBlocksAChunkMax = 8;
constexpr std::size_t kReaders = 16;
constexpr std::uint32_t kNone = ~std::uint32_t{0};

// Returns the index of the mapping that holds the block; held.size() if none does. Requires: sorted
// by address.
std::size_t holder_of(const Held& held, std::span<const std::byte> block) {
  const auto after =
      std::upper_bound(held.begin(), held.end(), block.data(),
                       [](const std::byte* at, const auto& one) { return at < one->bytes.data(); });
  if (after == held.begin()) return held.size();
  const std::span<const std::byte> bytes = (*std::prev(after))->bytes;
  if (block.data() + block.size() > bytes.data() + bytes.size()) return held.size();
  return static_cast<std::size_t>(after - held.begin()) - 1;
}

Held by_address(Held held) {
  std::sort(held.begin(), held.end(),
            [](const auto& a, const auto& b) { return a->bytes.data() < b->bytes.data(); });
  return held;
}

// Reads bytes of the file from `offset` on until its end; returns how many. Requires: whole pages.
std::size_t read_whole(const FileHandle& file, std::size_t offset, std::span<std::byte> to) {
  std::size_t done = 0;
  while (done < to.size()) {
    const ssize_t got = ::pread(file.descriptor(), to.data() + done, to.size() - done,
                                static_cast<off_t>(offset + done));
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
    if (done % page_bytes() != 0) break;  // the file's end
  }
  return done;
}

}  // namespace

FileHandle open_direct(const TrackedMapping& held) {
  if (held.path.empty())
    return open_read_only(fmt::format("/proc/self/fd/{}", held.descriptor), O_DIRECT);
  FileHandle file = open_read_only(held.path, O_DIRECT);
  struct stat status = {};
  if (!file.is_open() || ::fstat(file.descriptor(), &status) != 0) return {};
  if (status.st_dev != held.device || status.st_ino != held.inode) return {};
  return file;
}

std::size_t ReadAhead::slots_needed(const PassOrder& order, const Held& held,
                                    std::size_t slot_bytes) {
  if (order.blocks.empty()) return 0;
  const Held sorted = by_address(held);
  std::size_t bytes = 0;
  std::size_t bytes_max = 0;
  for (const auto block : order.blocks) {
    if (holder_of(sorted, block) == sorted.size()) return 0;
    bytes += block.size();
    bytes_max = std::max(bytes_max, block.size());
  }
  if (bytes / order.blocks.size() < slot_bytes / kBlocksAChunkMax) return 0;
  // Slots for the blocks in use and for as many that are being read; a block that begins between
  // two chunks needs one more.
  return order.at_once * (2 * ((bytes_max + slot_bytes - 1) / slot_bytes) + 1);
}

ReadAhead::ReadAhead(const PassOrder& order, const Held& held, ReadAheadBuffers& buffers,
                     ShadowMappings& shadows, std::span<const int> cpus)
    : buffers_(buffers),
      shadows_(shadows),
      chunk_bytes_(buffers.slot_bytes()),
      unasked_slots_(buffers.slots()) {
  const Held sorted = by_address(held);
  file_of_.resize(sorted.size(), nullptr);
  // Chunks are numbered in the order in which blocks first need them, which is the order of
  // reading.
  for (const auto block : order.blocks) add_block(block, sorted);
  // A stack: the slot freed last is taken next, while its memory is still in a cache.
  for (std::size_t slot = buffers.slots(); slot-- > 0;) free_slots_.push_back(slot);
  queue_.reserve(chunks_.size());
  ask();
  start_readers(cpus);
}

// Fewer readers than wanted are slower, none would never read.
void ReadAhead::start_readers(std::span<const int> cpus) {
  const std::size_t wanted = std::min(kReaders, chunks_.size());
  threads_.reserve(wanted);
  try {
    while (threads_.size() < wanted) threads_.emplace_back([this, cpus] { loop(cpus); });
  } catch (const std::system_error& refused) {
    if (threads_.empty()) throw NoThread(refused.code());
  }
}

ReadAhead::~ReadAhead() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  asked_.notify_all();
  // Joins the readers; afterwards no slot is written, and the files' own pages are restored.
  threads_.clear();
  for (std::size_t slot = 0; slot < buffers_.slots(); ++slot) buffers_.hide(slot);
}

void ReadAhead::add_block(std::span<const std::byte> block, const Held& by_address) {
  blocks_.push_back({block_chunks_.size(), 0});
  const std::size_t holder = holder_of(by_address, block);
  if (block.empty() || holder == by_address.size()) return;
  const std::span<const std::byte> bytes = by_address[holder]->bytes;
  File*& file = file_of_[holder];
  if (file == nullptr) {
    file = &files_.emplace_back();
    file->held = by_address[holder];
    file->chunks.resize((bytes.size() + chunk_bytes_ - 1) / chunk_bytes_, kNone);
  }
  const auto begin = static_cast<std::size_t>(block.data() - bytes.data());
  const std::size_t end = begin + block.size();
  // Divides the block among its chunks, whole pages each.
  std::size_t done = begin / page_bytes() * page_bytes();
  for (std::size_t number = begin / chunk_bytes_; done < end; ++number) {
    const std::uint32_t chunk = chunk_at(*file, number);
    ++chunks_[chunk].users;
    chunks_[chunk].begin = std::min(chunks_[chunk].begin, done);
    done = std::min((number + 1) * chunk_bytes_, end);
    chunks_[chunk].end = std::max(chunks_[chunk].end, done);
    block_chunks_.push_back(chunk);
    ++blocks_.back().count;
  }
}

std::uint32_t ReadAhead::chunk_at(File& file, std::size_t number) {
  if (file.chunks[number] != kNone) return file.chunks[number];
  file.chunks[number] = static_cast<std::uint32_t>(chunks_.size());
  Chunk& chunk = chunks_.emplace_back();
  chunk.file = &file;
  // Empty until add_block() extends it to the bytes of its first block.
  chunk.begin = (number + 1) * chunk_bytes_;
  file.chunks_left.fetch_add(1, std::memory_order_relaxed);
  return file.chunks[number];
}

std::span<const std::uint32_t> ReadAhead::chunks_of(std::size_t block) const {
  return std::span(block_chunks_).subspan(blocks_[block].first, blocks_[block].count);
}

void ReadAhead::await(std::size_t block) {
  for (const std::uint32_t chunk : chunks_of(block))
    chunks_[chunk].state.wait(kAsked, std::memory_order_acquire);
}

void ReadAhead::release(std::size_t block) {
  const std::lock_guard lock(mutex_);
  for (const std::uint32_t number : chunks_of(block)) {
    Chunk& chunk = chunks_[number];
    --chunk.users;
    if (chunk.users == 0 && chunk.state.load(std::memory_order_relaxed) == kDone)
      give_slot_back(chunk);
  }
}

// Queues as many of the next chunks as there are unpromised slots, which ensures that every queued
// chunk gets one. Chunks without users are skipped. Requires: the lock is held.
void ReadAhead::ask() {
  for (; next_ < chunks_.size() && unasked_slots_ > 0; ++next_) {
    Chunk& chunk = chunks_[next_];
    if (chunk.users == 0) continue;
    --unasked_slots_;
    chunk.state.store(kAsked, std::memory_order_relaxed);
    queue_.push_back(static_cast<std::uint32_t>(next_));  // within what was reserved
    asked_.notify_one();
  }
}

// Takes a free slot. Requires: the lock is held, and the chunk was queued.
void ReadAhead::take_slot(Chunk& chunk) {
  chunk.slot = free_slots_.back();
  chunk.has_slot = true;
  free_slots_.pop_back();
}

// Frees a chunk's slot. The slot stays mapped until it is reused, so late readers still see the
// file's bytes. Requires: the lock is held.
void ReadAhead::give_slot_back(Chunk& chunk) {
  if (!chunk.has_slot) return;
  chunk.has_slot = false;
  free_slots_.push_back(chunk.slot);
  ++unasked_slots_;
  ask();
}

void ReadAhead::loop(std::span<const int> cpus) {
  if (!cpus.empty()) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : cpus) CPU_SET(cpu, &set);
    // If the kernel refuses, only speed is lost.
    pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
  }
  std::unique_lock lock(mutex_);
  for (;;) {
    asked_.wait(lock, [&] { return ended_ || queue_begin_ < queue_.size(); });
    if (ended_) return;
    Chunk& chunk = chunks_[queue_[queue_begin_]];
    ++queue_begin_;
    take_slot(chunk);
    lock.unlock();
    const bool is_shown = read_or_leave(chunk);
    lock.lock();
    chunk.state.store(kDone, std::memory_order_release);
    chunk.state.notify_all();
    // All readers may have released the chunk while it was read.
    if (!is_shown || chunk.users == 0) give_slot_back(chunk);
  }
}

// The chunk's bytes in the mapping: whole pages, except at the end of the file.
std::span<const std::byte> ReadAhead::bytes_of(const Chunk& chunk) const {
  const std::span<const std::byte> bytes = chunk.file->held->bytes;
  const std::size_t end = std::min(round_up(chunk.end, page_bytes()), bytes.size());
  return bytes.subspan(chunk.begin, end - chunk.begin);
}

// As read(), in a thread whose exceptions nobody would catch: without memory for the reading itself
// the chunk is left to the page cache.
bool ReadAhead::read_or_leave(Chunk& chunk) noexcept {
  try {
    return read(chunk);
  } catch (const std::exception&) {
    return false;
  }
}

// Reads a chunk unless it is in memory. Returns false if it needs no slot: it was resident, or
// could not be read and is left to the page cache.
bool ReadAhead::read(Chunk& chunk) {
  File& file = *chunk.file;
  const std::span<const std::byte> bytes = bytes_of(chunk);
  bool is_shown = false;
  if (resident_bytes(bytes) < bytes.size()) {
    std::call_once(file.opened, [&] {
      file.direct = open_direct(*file.held);
      if (file.direct.is_open()) file.shadow = shadows_.of(file.held);
    });
    is_shown = fill_slot(chunk);
    if (!is_shown) ::madvise(const_cast<std::byte*>(bytes.data()), bytes.size(), MADV_WILLNEED);
  }
  // Closes the file after its last chunk: a database has more files than a process may have open.
  if (file.chunks_left.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    file.direct = FileHandle();
    file.shadow.reset();
  }
  return is_shown;
}

bool ReadAhead::fill_slot(Chunk& chunk) {
  File& file = *chunk.file;
  if (!file.direct.is_open() || !file.shadow || !buffers_.hide(chunk.slot)) return false;
  const std::span<const std::byte> bytes = bytes_of(chunk);
  const std::size_t offset = chunk.begin % chunk_bytes_;
  const std::span<std::byte> target = buffers_.slot(chunk.slot).subspan(offset);
  const std::size_t pages = round_up(bytes.size(), page_bytes());
  const std::size_t got = read_whole(file.direct, chunk.begin, target.first(pages));
  if (got < bytes.size()) return false;
  // The last page of a file ends in zeros where it is mapped. If this page were left to the file's
  // mapping, an access would make the kernel read megabytes around it.
  std::memset(target.data() + bytes.size(), 0, pages - bytes.size());
  return buffers_.show(chunk.slot, offset, {bytes.data(), pages}, file.shadow);
}

}  // namespace hdbench::pmem
