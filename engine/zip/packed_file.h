// A compressed file seen at the addresses of its plain bytes, of which those blocks are there that
// a query has needed: as kdb+ unpacks a column into the memory of the query that touches it.
//
// A query attaches to the file, needs ranges of it, reads them, and detaches; with the last one
// that is attached the unpacked blocks are given up. The addresses last as long as the file.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/base/store.h"
#include "engine/zip/kx_zip.h"

namespace hdbench {

// What a query knows of the blocks that are unpacked for it. Thread-safe.
class UnpackAccount {
 public:
  virtual ~UnpackAccount() = default;
  // A block is about to be unpacked. May throw where the query has no memory for it; the block then
  // stays packed.
  virtual void add_block(Bytes stored, std::uint64_t plain_bytes) = 0;
};

class PackedFile {
 public:
  // `source` names it in messages. Errors: ZippedFile::open()'s; kLimit: no addresses are left.
  static Result<std::shared_ptr<PackedFile>> open(Mapping stored, std::string source);
  ~PackedFile();
  PackedFile(const PackedFile&) = delete;
  PackedFile& operator=(const PackedFile&) = delete;

  const ZippedFile& zipped() const { return zipped_; }
  // The whole plain file. Only what need() has returned for may be read.
  Bytes bytes() const { return {plain_.data(), plain_.size()}; }

  // The account takes what is unpacked from here on. Requires: detach() of the same one follows.
  void attach(UnpackAccount* account);
  void detach(const UnpackAccount* account);
  // Gives up what is unpacked while it stays attached, and gives its plain bytes; nothing where
  // others are attached. Requires: none of it is read any more, nor needed meanwhile.
  std::uint64_t give_up();

  // Unpacks the blocks that hold these of bytes() and are not there; blocks that another thread is
  // unpacking are waited for. Gives the compressed bytes that this call has read. Errors: kData, as
  // ZippedFile has them. Thread-safe. Requires: an attached account.
  Result<std::uint64_t> need(Bytes range);
  // The same of those elements of `width` bytes, from `first` on, whose bit is set. Whole words of
  // bits decide, as kernels read elements beside selected ones.
  Result<std::uint64_t> need(const std::byte* first, std::uint32_t width,
                             std::span<const std::uint64_t> bits, std::uint64_t elements);

  // By number, which is below block_count() of zipped(): so that several threads share what many
  // single elements need.
  std::size_t block_of(const std::byte* at) const {
    return static_cast<std::size_t>(at - plain_.data()) / zipped_.block_bytes();
  }
  Bytes block(std::size_t number) const {
    return plain_.subspan(number * zipped_.block_bytes(), zipped_.plain_bytes_of(number));
  }

  // The compressed bytes of the blocks that hold this range: what a medium may read ahead.
  Bytes stored_of(Bytes range) const;

 private:
  enum State : std::uint8_t { kPacked, kAtWork, kThere };

  PackedFile(Mapping stored, ZippedFile zipped, std::span<std::byte> plain);
  struct Blocks {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  Blocks blocks_of(Bytes range) const;
  Result<std::uint64_t> need_block(std::size_t block);
  Status unpack(std::size_t block);
  std::uint64_t pack_all(int advice);

  Mapping stored_;
  ZippedFile zipped_;
  std::span<std::byte> plain_;
  std::vector<std::atomic<std::uint8_t>> states_;  // by block
  std::mutex lock_;                                // of attaching
  std::size_t attached_ = 0;
  std::atomic<UnpackAccount*> account_{nullptr};
};

}  // namespace hdbench
