// A database's files in one pool of bytes, readable only when all of it is there.
//
//   0      head: magic, generation, bytes, where the contents are and their hash; the seal
//   4096   contents: each file's path, size, time, hashes and place
//   ...    the files, each from a multiple of 4096 on, in whole 256-byte lines
//
// The seal is one word, the hash of the head before it, and is written last: after a drain that
// made everything else durable. Whatever a crash leaves, the seal fits the head, and the head's
// hash the contents, or there is no image. A file's own hash is for who maps it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace hdbench::pmem {

// Optane's line: what is written in whole ones costs no read inside the module.
inline constexpr std::size_t kMediumLineBytes = 256;

// Durable writes, as the steps between which a crash can happen.
//
// Written bytes may reach the medium in any order, or not at all, until drain() returns. What must
// become durable after something else is written after a drain. Tests use an implementation that
// cuts the power at every step.
class DurableWriter {
 public:
  virtual ~DurableWriter() = default;

  virtual Status write(std::byte* to, std::span<const std::byte> from) = 0;
  // One store, which is there whole or not at all wherever power fails. Requires: 8-byte aligned.
  virtual Status write_word(std::byte* to, std::uint64_t word) = 0;
  virtual Status drain() = 0;
};

// Through libpmem: non-temporal stores, CPU lines flushed at ragged ends and after a word (not
// where the CPU's caches survive a power cut, eADR), then a fence.
class LibpmemWriter final : public DurableWriter {
 public:
  Status write(std::byte* to, std::span<const std::byte> from) override;
  Status write_word(std::byte* to, std::uint64_t word) override;
  Status drain() override;
};

struct ImageFile {
  std::string path;  // below the database's root
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;
  std::uint64_t head_hash = 0;  // of its first page
  std::uint64_t offset = 0;     // in the pool; of no meaning before lay_out()
  std::uint64_t data_hash = 0;  // known once it is written
};

// Whether both are the same files: paths, sizes, times and heads, in the same order.
bool same_files(const std::vector<ImageFile>& a, const std::vector<ImageFile>& b);

// Gives each file its place; returns the bytes of the pool.
std::size_t lay_out(std::vector<ImageFile>& files);

// Reads piece.size() bytes of a file from `offset` on.
using ReadPiece =
    std::function<Status(const ImageFile& file, std::uint64_t offset, std::span<std::byte> piece)>;

struct ImageSource {
  ReadPiece read;
  // Asked before the seal: an error leaves the pool without one.
  std::function<Status()> unchanged;
};

// Requires: files laid out, the pool has as many bytes as that took, generation >= 1. What was in
// the pool is invalid from the first step on.
Status write_image(std::span<std::byte> pool, std::vector<ImageFile> files,
                   std::uint64_t generation, const ImageSource& source, DurableWriter& persist);

struct Image {
  std::uint64_t generation = 0;
  std::vector<ImageFile> files;
};

// Errors: kData: no seal, or what is sealed is damaged.
Result<Image> read_image(std::span<const std::byte> pool);

// Whether the bytes can be what write_image() left, finished or not: its magic, or none yet.
bool may_be_pool(std::span<const std::byte> pool);

std::uint64_t hash_of(std::span<const std::byte> bytes);

}  // namespace hdbench::pmem
