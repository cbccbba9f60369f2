#include "engine/zip/kx_zip_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <lz4hc.h>
#include <snappy.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

#include "engine/base/check.h"
#include "engine/zip/kx_zip.h"

namespace hdbench {
namespace {

struct WrittenAlgorithm {
  std::string_view name;
  std::uint8_t number;
  int level_min;
  int level_max;
  int level_usual;
};

// kdb+'s own ranges of levels.
constexpr WrittenAlgorithm kAlgorithms[] = {
    {"gzip", 2, 0, 9, 6}, {"snappy", 3, 0, 0, 0}, {"lz4", 4, 0, 16, 1}, {"zstd", 5, -7, 22, 1}};
constexpr int kBlockLog2Min = 12;
constexpr int kBlockLog2Max = 20;

const WrittenAlgorithm* algorithm_of(std::uint8_t number) {
  const auto* const found =
      std::find_if(std::begin(kAlgorithms), std::end(kAlgorithms),
                   [&](const WrittenAlgorithm& one) { return one.number == number; });
  return found == std::end(kAlgorithms) ? nullptr : found;
}

Result<int> number_between(std::string_view flag, std::string_view what, std::string_view text,
                           int least, int most) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= least && number <= most)
    return number;
  return usage_error(
      fmt::format("{}: {} '{}' is not a number from {} to {}", flag, what, text, least, most));
}

template <typename T>
void put_at_end(std::vector<std::byte>& out, T value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

}  // namespace

Result<Compression> parse_compression(std::string_view flag, std::string_view text) {
  if (text == "none") return Compression{};
  const std::size_t name_end = std::min(text.find(':'), text.size());
  const std::string_view name = text.substr(0, name_end);
  const auto* const known =
      std::find_if(std::begin(kAlgorithms), std::end(kAlgorithms),
                   [&](const WrittenAlgorithm& one) { return one.name == name; });
  if (known == std::end(kAlgorithms)) {
    return usage_error(fmt::format(
        "{}: unknown algorithm '{}': known are none, gzip, snappy, lz4, zstd, as ALG:LEVEL:BLOCK",
        flag, name));
  }
  Compression compression{known->number, static_cast<std::int8_t>(known->level_usual), 17};
  if (name_end == text.size()) return compression;
  const std::string_view rest = text.substr(name_end + 1);
  const std::size_t level_end = std::min(rest.find(':'), rest.size());
  HDB_ASSIGN(const int level,
             number_between(flag, fmt::format("{}'s level", name), rest.substr(0, level_end),
                            known->level_min, known->level_max));
  compression.level = static_cast<std::int8_t>(level);
  if (level_end == rest.size()) return compression;
  HDB_ASSIGN(const int block,
             number_between(flag, "the block's power of two", rest.substr(level_end + 1),
                            kBlockLog2Min, kBlockLog2Max));
  compression.block_log2 = static_cast<std::uint8_t>(block);
  return compression;
}

std::string to_text(const Compression& compression) {
  const WrittenAlgorithm* const algorithm = algorithm_of(compression.algorithm);
  if (algorithm == nullptr) return "none";
  return fmt::format("{}:{}:{}", algorithm->name, compression.level, compression.block_log2);
}

std::vector<std::byte> compress_block(const Compression& compression, Bytes plain) {
  const auto* const text = reinterpret_cast<const char*>(plain.data());
  std::vector<std::byte> out;
  const auto room_for = [&](std::size_t bytes) {
    out.resize(bytes);
    return reinterpret_cast<char*>(out.data());
  };
  std::size_t size = 0;
  switch (compression.algorithm) {
    case 2: {
      uLongf stored = ::compressBound(plain.size());
      auto* const target = reinterpret_cast<Bytef*>(room_for(stored));
      const int done = ::compress2(target, &stored, reinterpret_cast<const Bytef*>(text),
                                   plain.size(), compression.level);
      HDB_CHECK(done == Z_OK, "zlib has the room that it asks for");
      size = stored;
      break;
    }
    case 3:
      snappy::RawCompress(text, plain.size(), room_for(snappy::MaxCompressedLength(plain.size())),
                          &size);
      break;
    case 4: {
      const int bytes = static_cast<int>(plain.size());
      const int bound = ::LZ4_compressBound(bytes);
      size = static_cast<std::size_t>(::LZ4_compress_HC(
          text, room_for(static_cast<std::size_t>(bound)), bytes, bound, compression.level));
      break;
    }
    case 5: {
      const std::size_t bound = ::ZSTD_compressBound(plain.size());
      size = ::ZSTD_compress(room_for(bound), bound, text, plain.size(), compression.level);
      HDB_CHECK(::ZSTD_isError(size) == 0, "zstd has the room that it asks for");
      break;
    }
    default: HDB_CHECK(false, "an algorithm that is written");
  }
  out.resize(size);
  return out;
}

Status ZipStream::append(Bytes plain, const Write& write) {
  const std::uint64_t block_bytes = compression_.block_bytes();
  while (!plain.empty()) {
    if (pending_.empty() && plain.size() >= block_bytes) {
      HDB_TRY(write_block(plain.first(block_bytes), write));
      plain = plain.subspan(block_bytes);
      continue;
    }
    const std::size_t taken = std::min<std::size_t>(plain.size(), block_bytes - pending_.size());
    pending_.insert(pending_.end(), plain.begin(),
                    plain.begin() + static_cast<std::ptrdiff_t>(taken));
    plain = plain.subspan(taken);
    if (pending_.size() < block_bytes) continue;
    HDB_TRY(write_block(pending_, write));
    pending_.clear();
  }
  return ok_status();
}

Status ZipStream::write_block(Bytes plain, const Write& write) {
  const auto put = [&](Bytes bytes) -> Status {
    stored_bytes_ += bytes.size();
    return write(bytes);
  };
  if (stored_bytes_ == 0) HDB_TRY(put(std::as_bytes(std::span(kZippedMagic))));
  const bool is_equal = plain.size() == last_plain_.size() &&
                        std::memcmp(plain.data(), last_plain_.data(), plain.size()) == 0;
  if (!is_equal) {
    last_stored_ = compress_block(compression_, plain);
    last_plain_.assign(plain.begin(), plain.end());
  }
  // A block that does not get smaller is stored as it is.
  const bool is_smaller = last_stored_.size() < plain.size();
  const Bytes stored = is_smaller ? Bytes(last_stored_) : plain;
  put_at_end(table_, static_cast<std::uint32_t>(stored.size()));
  put_at_end(table_, std::uint32_t{is_smaller ? compression_.algorithm : std::uint8_t{0}});
  plain_bytes_ += plain.size();
  ++blocks_;
  return put(stored);
}

Status ZipStream::finish(const Write& write) {
  if (!pending_.empty()) HDB_TRY(write_block(pending_, write));
  std::vector<std::byte> end;
  if (stored_bytes_ == 0) {
    const auto magic = std::as_bytes(std::span(kZippedMagic));
    end.assign(magic.begin(), magic.end());
  }
  const std::uint64_t trailer = stored_bytes_ + end.size();
  constexpr std::int32_t kVersion = 3;
  put_at_end(end, kVersion);
  put_at_end(end, compression_.algorithm);
  put_at_end(end, compression_.level);
  put_at_end(end, std::uint16_t{0});
  put_at_end(end, plain_bytes_);
  put_at_end(end, trailer);
  put_at_end(end, compression_.block_bytes());
  end.insert(end.end(), table_.begin(), table_.end());
  put_at_end(end, blocks_);
  return write(end);
}

}  // namespace hdbench
