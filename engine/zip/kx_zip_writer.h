// Writes compressed files as kdb+ does with .z.zd or -19! (docs/hdb-format.md, "Compressed files"):
// blocks of plain bytes, each compressed by itself, then a table of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/result.h"

namespace hdbench {

// How a file is compressed, with kdb+'s numbers: (block; algorithm; level) of .z.zd.
struct Compression {
  std::uint8_t algorithm = 0;    // 2 gzip, 3 snappy, 4 lz4hc, 5 zstd; 0: not at all
  std::int8_t level = 0;         // as stored in the file; of snappy 0
  std::uint8_t block_log2 = 17;  // blocks of 2^12 to 2^20 plain bytes

  std::uint64_t block_bytes() const { return std::uint64_t{1} << block_log2; }
  bool operator==(const Compression&) const = default;
};

// "gzip", "gzip:6", "zstd:3:17", "none". Without them the level is kdb+'s usual one and the block
// 2^17 bytes. Errors: kUsage, naming the flag, the word and what is expected.
Result<Compression> parse_compression(std::string_view flag, std::string_view text);
// As parse_compression() reads it, whole: "gzip:6:17"; "none".
std::string to_text(const Compression& compression);

// One block, or fewer bytes of one, compressed. Requires: an algorithm.
std::vector<std::byte> compress_block(const Compression& compression, Bytes plain);

// Takes a file's plain bytes and hands the compressed ones to `write`, in the file's order.
class ZipStream {
 public:
  using Write = std::function<Status(Bytes)>;
  // Requires: an algorithm.
  explicit ZipStream(const Compression& compression) : compression_(compression) {}

  Status append(Bytes plain, const Write& write);
  // What is left, and the table of blocks. Ends the stream.
  Status finish(const Write& write);

 private:
  Status write_block(Bytes plain, const Write& write);

  Compression compression_;
  std::vector<std::byte> pending_;  // less than a block
  // The block before and what was stored of it: an equal one, as of repeated rows, is not
  // compressed again.
  std::vector<std::byte> last_plain_;
  std::vector<std::byte> last_stored_;
  std::vector<std::byte> table_;
  std::uint64_t plain_bytes_ = 0;
  std::uint64_t stored_bytes_ = 0;  // from the file's beginning
  std::uint64_t blocks_ = 0;
};

}  // namespace hdbench
