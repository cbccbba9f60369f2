// Reads a pass past the page cache: threads read its files with O_DIRECT into the slots of
// buffers, in the order of the pass, and map each slot at its file's addresses.
//
// The unit is a chunk: the pages of a file between two multiples of a fixed size, limited to the
// pass's first and last byte. Blocks in the same chunk share its slot until the last of them is
// released. A chunk takes the most recently freed slot when it is read, as copies into cached
// memory are faster. A chunk that is already in memory is left there. One that cannot be read (a
// truncated file, a failing device) is left to the file's mapping, whose reader gets the error.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "engine/base/file_handle.h"
#include "engine/base/store.h"
#include "pmem/memory/cache_state.h"
#include "pmem/readahead/read_ahead_buffers.h"

namespace hdbench::pmem {

// Opens the file of the held mapping or region for O_DIRECT. Not open if the filesystem refuses it,
// or if the name leads to another file now.
FileHandle open_direct(const TrackedMapping& held);

class ReadAhead final : public PassReader {
 public:
  // The slots that a pass needs, to continue reading while its readers hold some. 0: its blocks are
  // not those of `held`, or so small that the page cache serves them better.
  static std::size_t slots_needed(const PassOrder& order, const Held& held, std::size_t slot_bytes);

  // Requires: slots_needed() buffers that no other pass uses; they and `shadows`, which all
  // passes over `held` share, outlive this.
  ReadAhead(const PassOrder& order, const Held& held, ReadAheadBuffers& buffers,
            ShadowMappings& shadows, std::span<const int> cpus);
  ~ReadAhead() override;

  void await(std::size_t block) override;
  void release(std::size_t block) override;

 private:
  enum State : std::uint32_t { kWaits, kAsked, kDone };

  struct File {
    std::shared_ptr<const TrackedMapping> held;
    std::once_flag opened;
    FileHandle direct;
    std::shared_ptr<const ShadowMapping> shadow;  // null: nothing of it can be shown
    std::vector<std::uint32_t> chunks;            // by their number in the file; kNone: none
    std::atomic<std::size_t> chunks_left{0};
  };
  struct Chunk {
    File* file = nullptr;
    std::size_t begin = 0;  // in the file: a page's
    std::size_t end = 0;    // and what the pass wants last
    std::atomic<std::uint32_t> state{kWaits};
    std::size_t users = 0;  // blocks that are not released
    std::size_t slot = 0;   // once a thread reads it
    bool has_slot = false;
  };
  struct BlockChunks {
    std::size_t first = 0;  // in block_chunks_
    std::size_t count = 0;
  };

  void add_block(std::span<const std::byte> block, const Held& by_address);
  std::uint32_t chunk_at(File& file, std::size_t number);
  void ask();
  void start_readers(std::span<const int> cpus);
  void loop(std::span<const int> cpus);
  bool read_or_leave(Chunk& chunk) noexcept;
  bool read(Chunk& chunk);
  std::span<const std::byte> bytes_of(const Chunk& chunk) const;
  bool fill_slot(Chunk& chunk);
  void take_slot(Chunk& chunk);
  void give_slot_back(Chunk& chunk);
  std::span<const std::uint32_t> chunks_of(std::size_t block) const;

  ReadAheadBuffers& buffers_;
  ShadowMappings& shadows_;
  std::size_t chunk_bytes_;
  std::deque<File> files_;
  std::vector<File*> file_of_;  // by place in the held bytes by address
  std::deque<Chunk> chunks_;    // in the order in which they are read
  std::vector<std::uint32_t> block_chunks_;
  std::vector<BlockChunks> blocks_;

  std::mutex mutex_;  // of all below, and of chunks' users and slots
  std::condition_variable asked_;
  std::size_t next_ = 0;                 // chunk to be requested
  std::vector<std::uint32_t> queue_;     // requested, each chunk once; space for all
  std::size_t queue_begin_ = 0;          // the first that is still to be read
  std::vector<std::size_t> free_slots_;  // the last one is taken next
  std::size_t unasked_slots_ = 0;        // that no chunk was promised
  bool ended_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace hdbench::pmem
