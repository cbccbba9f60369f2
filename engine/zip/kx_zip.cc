#include "engine/zip/kx_zip.h"

#include <fmt/format.h>
#include <lz4.h>
#include <snappy.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace hdbench {
namespace {

constexpr std::string_view kEncryptedMagic = "kxzippEd";
constexpr std::uint64_t kMagicBytes = 8;
constexpr std::uint64_t kTrailerBytes = 32;
constexpr std::uint64_t kEntryBytes = 8;
constexpr std::uint64_t kCountBytes = 8;
constexpr std::uint64_t kIpcHeaderBytes = 12;
// kdb+'s logical blocks are 2^12 to 2^20 bytes.
constexpr std::uint64_t kBlockBytesMax = std::uint64_t{1} << 20;

enum Algorithm : std::uint32_t { kNone, kIpc, kZlib, kSnappy, kLz4, kZstd };

// What a byte of a compressed file becomes at best: zlib 1032, zstd a block of zeros in 4 bytes,
// the others less.
std::uint64_t expansion_max(std::uint8_t algorithm) { return algorithm == kZstd ? 32768 : 1100; }

// Positions count a header of 8 bytes in, which is not part of the output.
constexpr std::size_t kIpcMessageBytes = 8;

class IpcStream {
 public:
  IpcStream(Bytes input, std::span<std::byte> output) : input_(input), output_(output) {}

  bool decompress() {
    unsigned flags = 0;
    unsigned bit = 0;
    while (written_ < output_.size()) {
      if (bit == 0) {
        if (!next(flags)) return false;
        bit = 1;
      }
      const bool copied = (flags & bit) != 0;
      if (!(copied ? copy() : literal())) return false;
      bit = bit << 1 & 0xff;
    }
    return read_ == input_.size();
  }

 private:
  bool next(unsigned& value) {
    if (read_ >= input_.size()) return false;
    value = std::to_integer<unsigned>(input_[read_++]);
    return true;
  }

  bool literal() {
    unsigned value = 0;
    if (!next(value)) return false;
    output_[written_++] = static_cast<std::byte>(value);
    remember();
    return true;
  }

  bool copy() {
    unsigned key = 0;
    unsigned more = 0;
    if (!next(key) || output_.size() - written_ < 2) return false;
    const std::size_t position = table_[key];
    // Two bytes at least must lie there; 0 is an empty entry.
    if (position < kIpcMessageBytes || position - kIpcMessageBytes + 2 > written_) return false;
    std::size_t from = position - kIpcMessageBytes;
    output_[written_++] = output_[from++];
    output_[written_++] = output_[from++];
    remember();
    if (!next(more) || output_.size() - written_ < more) return false;
    for (unsigned i = 0; i < more; ++i) output_[written_++] = output_[from++];
    hashed_ = written_;
    return true;
  }

  // Notes the position of every pair of bytes that is complete.
  void remember() {
    for (; hashed_ + 1 < written_; ++hashed_) {
      const std::byte key = output_[hashed_] ^ output_[hashed_ + 1];
      table_[std::to_integer<std::size_t>(key)] = hashed_ + kIpcMessageBytes;
    }
  }

  Bytes input_;
  std::span<std::byte> output_;
  std::size_t read_ = 0;
  std::size_t written_ = 0;
  std::size_t hashed_ = 0;
  std::array<std::size_t, 256> table_{};
};

bool unzip_ipc(Bytes stored, std::span<std::byte> plain) {
  const auto marks = read_at<std::uint32_t>(stored, 0);
  const auto stored_bytes = read_at<std::uint32_t>(stored, 4);
  const auto plain_bytes = read_at<std::uint32_t>(stored, 8);
  if (!plain_bytes.has_value() || *marks != 0x00010001U) return false;
  if (*stored_bytes != stored.size() || *plain_bytes != plain.size() + 8) return false;
  return ipc_decompress(stored.subspan(kIpcHeaderBytes), plain);
}

bool unzip_gzip(Bytes stored, std::span<std::byte> plain) {
  uLongf plain_bytes = plain.size();
  const int status = ::uncompress(reinterpret_cast<Bytef*>(plain.data()), &plain_bytes,
                                  reinterpret_cast<const Bytef*>(stored.data()), stored.size());
  return status == Z_OK && plain_bytes == plain.size();
}

bool unzip_snappy(Bytes stored, std::span<std::byte> plain) {
  const char* text = reinterpret_cast<const char*>(stored.data());
  std::size_t plain_bytes = 0;
  return snappy::GetUncompressedLength(text, stored.size(), &plain_bytes) &&
         plain_bytes == plain.size() &&
         snappy::RawUncompress(text, stored.size(), reinterpret_cast<char*>(plain.data()));
}

bool unzip_lz4(Bytes stored, std::span<std::byte> plain) {
  const int plain_bytes = ::LZ4_decompress_safe(
      reinterpret_cast<const char*>(stored.data()), reinterpret_cast<char*>(plain.data()),
      static_cast<int>(stored.size()), static_cast<int>(plain.size()));
  return plain_bytes >= 0 && static_cast<std::size_t>(plain_bytes) == plain.size();
}

bool unzip_zstd(Bytes stored, std::span<std::byte> plain) {
  return ::ZSTD_decompress(plain.data(), plain.size(), stored.data(), stored.size()) ==
         plain.size();
}

bool copy_stored(Bytes stored, std::span<std::byte> plain) {
  if (stored.size() != plain.size()) return false;
  std::memcpy(plain.data(), stored.data(), stored.size());
  return true;
}

using Unzip = bool (*)(Bytes stored, std::span<std::byte> plain);

struct Variant {
  const char* name;
  Unzip unzip;
};

constexpr Variant kVariants[] = {{"none", copy_stored}, {"q IPC", unzip_ipc},
                                 {"gzip", unzip_gzip},  {"snappy", unzip_snappy},
                                 {"lz4", unzip_lz4},    {"zstd", unzip_zstd}};
constexpr std::size_t kVariantCount = std::size(kVariants);

}  // namespace

bool is_kx_zipped(Bytes file) {
  return starts_with(file, {kZippedMagic.data(), kZippedMagic.size()});
}
bool is_kx_encrypted(Bytes file) { return starts_with(file, kEncryptedMagic); }

Result<ZippedFile> ZippedFile::open(Bytes file, std::string source) {
  ZippedFile zipped;
  zipped.file_ = file;
  zipped.source_ = std::move(source);
  HDB_TRY(zipped.read_trailer());
  HDB_TRY(zipped.read_blocks());
  return zipped;
}

Error ZippedFile::error_at(std::uint64_t offset, const std::string& what) const {
  return data_error(fmt::format("{}: byte {} (kxzipped): {}", source_, offset, what));
}

Status ZippedFile::read_trailer() {
  const std::uint64_t size = file_.size();
  constexpr std::uint64_t kLeastBytes = kMagicBytes + kTrailerBytes + kCountBytes;
  if (size < kLeastBytes) {
    return error_at(
        0, fmt::format("{} bytes, but a compressed file has at least {}", size, kLeastBytes));
  }
  const auto count = load_at<std::int64_t>(file_, size - kCountBytes);
  const std::uint64_t count_max = (size - kLeastBytes) / kEntryBytes;
  if (count < 0 || static_cast<std::uint64_t>(count) > count_max) {
    return error_at(
        size - kCountBytes,
        fmt::format("{} blocks, but a file of {} bytes holds at most {}", count, size, count_max));
  }
  const auto blocks = static_cast<std::uint64_t>(count);
  trailer_offset_ = size - kCountBytes - blocks * kEntryBytes - kTrailerBytes;
  const auto version = load_at<std::int32_t>(file_, trailer_offset_);
  const auto algorithm = load_at<std::uint8_t>(file_, trailer_offset_ + 4);
  const auto plain = load_at<std::int64_t>(file_, trailer_offset_ + 8);
  const auto trailer = load_at<std::int64_t>(file_, trailer_offset_ + 16);
  const auto block = load_at<std::int64_t>(file_, trailer_offset_ + 24);
  if (version != 2 && version != 3) {
    return error_at(trailer_offset_, fmt::format("version {}, but 2 or 3 is expected", version));
  }
  if (algorithm >= kVariantCount) {
    return error_at(trailer_offset_ + 4, fmt::format("algorithm {}, but 0 to {} are known",
                                                     algorithm, kVariantCount - 1));
  }
  if (trailer < 0 || static_cast<std::uint64_t>(trailer) != trailer_offset_) {
    return error_at(trailer_offset_ + 16,
                    fmt::format("trailer at {}, but it is at {}", trailer, trailer_offset_));
  }
  if (block <= 0 || static_cast<std::uint64_t>(block) > kBlockBytesMax) {
    return error_at(
        trailer_offset_ + 24,
        fmt::format("blocks of {} bytes, but 1 to {} are possible", block, kBlockBytesMax));
  }
  block_bytes_ = static_cast<std::uint64_t>(block);
  const std::uint64_t plain_max = blocks * block_bytes_;
  const bool plausible = plain >= 0 && static_cast<std::uint64_t>(plain) <= plain_max &&
                         static_cast<std::uint64_t>(plain) + block_bytes_ > plain_max &&
                         static_cast<std::uint64_t>(plain) / expansion_max(algorithm) <= size;
  if (!plausible) {
    return error_at(trailer_offset_ + 8,
                    fmt::format("{} bytes plain, which {} blocks of {} bytes in a file of {} "
                                "cannot hold",
                                plain, blocks, block_bytes_, size));
  }
  plain_bytes_ = static_cast<std::uint64_t>(plain);
  algorithm_ = algorithm;
  level_ = load_at<std::int8_t>(file_, trailer_offset_ + 5);
  blocks_.resize(blocks);
  return ok_status();
}

Status ZippedFile::read_blocks() {
  std::uint64_t offset = kMagicBytes;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const std::uint64_t entry = trailer_offset_ + kTrailerBytes + i * kEntryBytes;
    Block& block = blocks_[i];
    block.offset = offset;
    block.stored_bytes = load_at<std::uint32_t>(file_, entry);
    block.algorithm = load_at<std::uint32_t>(file_, entry + 4);
    if (block.algorithm >= kVariantCount) {
      return error_at(entry + 4, fmt::format("block {} has algorithm {}, but 0 to {} are known", i,
                                             block.algorithm, kVariantCount - 1));
    }
    if (!within_bounds(offset, block.stored_bytes, trailer_offset_)) {
      return error_at(entry, fmt::format("block {} has {} bytes, but {} are left", i,
                                         block.stored_bytes, trailer_offset_ - offset));
    }
    offset += block.stored_bytes;
  }
  if (offset != trailer_offset_) {
    return error_at(offset,
                    fmt::format("the blocks end here, but the trailer is at {}", trailer_offset_));
  }
  return ok_status();
}

std::string ZippedFile::compression() const {
  const char* const name = kVariants[algorithm_].name;
  return level_ == 0 ? std::string(name) : fmt::format("{} {}", name, level_);
}

std::uint64_t ZippedFile::plain_bytes_of(std::size_t block) const {
  return std::min(block_bytes_, plain_bytes_ - block * block_bytes_);
}

Status ZippedFile::unzip_block(std::size_t index, std::span<std::byte> plain) const {
  const Block& block = blocks_[index];
  const Variant& variant = kVariants[block.algorithm];
  if (variant.unzip(stored_block(index), plain)) return ok_status();
  return error_at(block.offset,
                  fmt::format("block {} of {} bytes ({}) does not decompress to {} bytes", index,
                              block.stored_bytes, variant.name, plain.size()));
}

Result<std::vector<std::byte>> ZippedFile::prefix(std::uint64_t bytes) const {
  const std::uint64_t wanted = std::min(bytes, plain_bytes_);
  const std::uint64_t blocks = (wanted + block_bytes_ - 1) / block_bytes_;
  std::vector<std::byte> plain(std::min(blocks * block_bytes_, plain_bytes_));
  for (std::uint64_t i = 0; i < blocks; ++i) {
    HDB_TRY(unzip_block(i, std::span(plain).subspan(i * block_bytes_, plain_bytes_of(i))));
  }
  plain.resize(wanted);
  return plain;
}

Result<Region> ZippedFile::unzip(Store& store) const {
  HDB_ASSIGN(Region region, store.allocate_for(source_, plain_bytes_));
  // Through a block in the cache, so that a medium is only written in its own way.
  std::vector<std::byte> plain(std::min(block_bytes_, plain_bytes_));
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const auto block = std::span(plain).first(plain_bytes_of(i));
    HDB_TRY(unzip_block(i, block));
    store.copy_in(region.bytes.data() + i * block_bytes_, block);
  }
  return region;
}

bool ipc_decompress(Bytes input, std::span<std::byte> output) {
  return IpcStream(input, output).decompress();
}

}  // namespace hdbench
