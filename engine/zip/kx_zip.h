// Compressed files: the `kxzipped` wrapper around any other file (docs/hdb-format.md, "Compressed
// files").
//
// Opening checks the whole block table against the file's size; blocks are then decompressed one by
// one. Nothing is allocated before the sizes have been found plausible.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/base/store.h"

namespace hdbench {

// What a compressed file begins with.
constexpr std::array<char, 8> kZippedMagic = {'k', 'x', 'z', 'i', 'p', 'p', 'e', 'd'};

// By the first eight bytes.
bool is_kx_zipped(Bytes file);
bool is_kx_encrypted(Bytes file);

class ZippedFile {
 public:
  // `file` must outlive the result; `source` names it in messages. Errors: kData, with file,
  // offset, found, expected.
  static Result<ZippedFile> open(Bytes file, std::string source);

  std::uint64_t plain_bytes() const { return plain_bytes_; }
  std::uint64_t file_bytes() const { return file_.size(); }

  // The algorithm and, where it has one, its level: "gzip 6", "snappy".
  std::string compression() const;

  // The first min(bytes, plain_bytes()) bytes.
  Result<std::vector<std::byte>> prefix(std::uint64_t bytes) const;

  // All of it, in a region of `store`.
  Result<Region> unzip(Store& store) const;

  std::size_t block_count() const { return blocks_.size(); }
  // Plain bytes of each block but the last.
  std::uint64_t block_bytes() const { return block_bytes_; }
  std::uint64_t plain_bytes_of(std::size_t block) const;
  // A block as the file has it.
  Bytes stored_block(std::size_t block) const {
    return file_.subspan(blocks_[block].offset, blocks_[block].stored_bytes);
  }
  // Requires: plain_bytes_of() bytes of space.
  Status unzip_block(std::size_t block, std::span<std::byte> plain) const;

 private:
  struct Block {
    std::uint64_t offset = 0;  // in the file
    std::uint32_t stored_bytes = 0;
    std::uint32_t algorithm = 0;
  };

  ZippedFile() = default;
  Status read_trailer();
  Status read_blocks();
  Error error_at(std::uint64_t offset, const std::string& what) const;

  Bytes file_;
  std::string source_;
  std::uint64_t plain_bytes_ = 0;
  std::uint64_t block_bytes_ = 0;
  std::uint64_t trailer_offset_ = 0;
  int algorithm_ = 0;
  int level_ = 0;
  std::vector<Block> blocks_;
};

// q IPC decompression, of algorithm 1 (kdb+ uses it on sockets too): fills `output` from the stream
// `input`, what follows a block's 12 bytes of header. False where the stream is bad: it ends early,
// refers beyond what is written, or holds more than the output takes.
bool ipc_decompress(Bytes input, std::span<std::byte> output);

}  // namespace hdbench
