// Reads blocks of a long column through one of the engines and sums them; the expected sum is
// computed alongside.
//
//   mmap           touched in one mapping, as kdb+ maps a column, without advice to the kernel
//   mmap-random    the same with MADV_RANDOM: nothing is read around a fault
//   mmap-per-read  opened, mapped, touched and unmapped for each block
//   pread          into a buffer, through the page cache
//   direct         into a buffer, past the page cache (O_DIRECT)
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "bench/base/process_group.h"
#include "bench/storage/column_data.h"
#include "bench/storage/file_calls.h"
#include "engine/base/store.h"

namespace hdbench {

class BlockReader {
 public:
  // The column outlives this.
  BlockReader(const MadeColumn& column, std::uint64_t block_bytes, const std::string& engine);

  Status open();
  // Whole ones in the file, its header among them.
  std::uint64_t blocks() const { return blocks_; }
  // Reads and sums a block, as an operation of a worker's. A mapped block is read by summing it; of
  // one that is read into a buffer the latency is the read's alone.
  Status read_lap(Worker& worker, std::uint64_t block);

  std::uint64_t sum() const { return sum_; }
  std::uint64_t expected() const { return expected_; }

 private:
  Status read_into_buffer(std::uint64_t offset);
  Status map_and_read(std::uint64_t offset);

  enum class Engine : std::uint8_t { kMapped, kMapEach, kBuffer };

  const MadeColumn& column_;
  std::uint64_t block_bytes_;
  std::uint64_t blocks_;
  Engine engine_ = Engine::kMapped;
  bool is_direct_ = false;
  bool is_random_ = false;
  FileHandle file_;
  std::unique_ptr<MappedMemory> mapped_;
  Region buffer_;
  std::uint64_t sum_ = 0;
  std::uint64_t expected_ = 0;
};

}  // namespace hdbench
