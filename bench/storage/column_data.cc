#include "bench/storage/column_data.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "bench/base/interrupt.h"
#include "bench/storage/file_calls.h"
#include "engine/base/check.h"
#include "engine/kernel/stream.h"

namespace hdbench::bench {
namespace {

constexpr std::uint64_t kStride = 0x9e3779b97f4a7c15u;
constexpr std::size_t kPieceBytes = std::size_t{4} << 20;
constexpr std::uint64_t kVectorHeaderWords = 2;
constexpr std::uint64_t kSeedsOfProcesses = 64;  // a file's: one a process

std::uint64_t first_word(std::uint64_t seed) { return (seed + 1) * 0xbf58476d1ce4e5b9u; }

// begin + (begin + 1) + ... of so many; arithmetic wraps.
std::uint64_t sum_of_numbers(std::uint64_t begin, std::uint64_t count) {
  const std::uint64_t pairs = count % 2 == 0 ? count / 2 * (count - 1) : count * ((count - 1) / 2);
  return count == 0 ? 0 : count * begin + pairs;
}

std::uint64_t word_in(std::span<const std::byte> bytes, std::size_t word) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + word * 8, 8);
  return value;
}

Result<Held> hold(const std::vector<MadeColumn>& columns) {
  Held held;
  for (const MadeColumn& column : columns) {
    HDB_ASSIGN(OpenFile file, open_file(column.path));
    if (file.bytes != column.bytes) {
      return data_error(
          fmt::format("{}: {} bytes, expected {}", column.path.string(), file.bytes, column.bytes));
    }
    HDB_ASSIGN(std::unique_ptr<MappedMemory> mapped,
               map_shared(file.handle, column.bytes, PROT_READ, column.path));
    auto one = std::make_shared<TrackedMapping>();
    one->bytes = mapped->bytes();
    one->path = column.path;
    one->descriptor = file.handle.descriptor();
    one->owner = std::make_shared<std::pair<FileHandle, std::unique_ptr<MappedMemory>>>(
        std::move(file.handle), std::move(mapped));
    held.push_back(std::move(one));
  }
  return held;
}

}  // namespace

std::string_view io_type_name(QType type) {
  return type == QType::kSymbol ? "sym" : type_name(type);
}

std::vector<std::byte> header_of(const DataSpec& spec) {
  ColumnSpec column;
  column.type = spec.type;
  column.rows = spec.elements;
  if (spec.type == QType::kSymbol) column.domain = "sym";
  return column_header_bytes(column);
}

std::uint64_t file_bytes(const DataSpec& spec) {
  return header_of(spec).size() + spec.elements * type_width(spec.type);
}

void fill_words(const DataSpec& spec, std::uint64_t first, std::span<std::uint64_t> words) {
  std::uint64_t value = first_word(spec.seed) + first * kStride;
  for (std::uint64_t& word : words) {
    word = value;
    value += kStride;
  }
  if (spec.type == QType::kFloat) {  // from 1 to 2
    for (std::uint64_t& word : words) word = word >> 12 | std::uint64_t{0x3ff} << 52;
  } else if (spec.type == QType::kSymbol) {
    for (std::uint64_t& word : words) word = (word >> 32) % kIoDomainSymbols;
  }
}

std::uint64_t range_sum(const DataSpec& spec, std::uint64_t first, std::uint64_t words) {
  HDB_CHECK(spec.type == QType::kLong, "the sum of a range is known of longs");
  std::uint64_t sum = words * first_word(spec.seed) + kStride * sum_of_numbers(first, words);
  if (first >= kVectorHeaderWords) return sum;
  const std::vector<std::byte> header = header_of(spec);
  for (std::uint64_t at = first; at < std::min(first + words, kVectorHeaderWords); ++at) {
    sum += word_in(header, at) - (first_word(spec.seed) + at * kStride);
  }
  return sum;
}

std::uint64_t sum_of(std::span<const std::byte> bytes) {
  const std::size_t words = bytes.size() / 8;
  constexpr std::uintptr_t kLine = 64;
  std::uint64_t sum = 0;
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % kLine == 0) {
    sum = stream_sum({reinterpret_cast<const std::uint64_t*>(bytes.data()), words},
                     StreamOrder::kLinear);
  } else {
    for (std::size_t word = 0; word < words; ++word) sum += word_in(bytes, word);
  }
  std::uint64_t rest = 0;
  std::memcpy(&rest, bytes.data() + words * 8, bytes.size() % 8);
  return sum + rest;
}

Result<MadeColumn> make_column(const std::filesystem::path& path, const DataSpec& spec) {
  MadeColumn made{path, spec, file_bytes(spec), 0, INT64_MIN};
  const std::vector<std::byte> header = header_of(spec);
  HDB_ASSIGN(const FileHandle file, open_for(path, O_WRONLY | O_CREAT | O_TRUNC));
  struct alignas(64) Line {
    std::uint64_t words[8];
  };
  std::vector<Line> lines(kPieceBytes / sizeof(Line));
  const std::span<std::uint64_t> words(lines.front().words, kPieceBytes / 8);
  const std::span<std::byte> piece = std::as_writable_bytes(words);
  for (std::uint64_t at = 0; at < made.bytes; at += kPieceBytes) {
    if (interrupted().load()) return usage_error("interrupted");
    fill_words(spec, at / 8, words);
    if (at == 0) std::memcpy(piece.data(), header.data(), header.size());
    const auto part = piece.first(std::min<std::uint64_t>(kPieceBytes, made.bytes - at));
    if (spec.type == QType::kLong) {
      const auto behind_header =
          words.first(part.size() / 8).subspan(at == 0 ? kVectorHeaderWords : 0);
      for (const std::uint64_t word : behind_header) {
        made.greatest = std::max(made.greatest, static_cast<std::int64_t>(word));
      }
    }
    made.sum += sum_of(part);
    HDB_TRY(write_fully(file, part, path));
  }
  HDB_TRY(flush(file, path, "fdatasync"));
  return made;
}

Status make_domain(const std::filesystem::path& path) {
  std::vector<std::string> symbols;
  for (std::uint64_t k = 0; k < kIoDomainSymbols; ++k) symbols.push_back("s" + std::to_string(k));
  return write_symbol_list(path, symbols);
}

Result<std::vector<MadeColumn>> ColumnSet::get(const std::string& vector, QType type,
                                               std::uint64_t elements, std::size_t files) {
  std::vector<MadeColumn>& columns = made_[{vector, type, files}];
  for (std::size_t at = columns.size(); at < directories_.size() * files; ++at) {
    const std::size_t k = at / files;
    const std::size_t file = at % files;
    const auto part = files == 1 ? std::string() : fmt::format("-{}of{}", file + 1, files);
    const auto path = directories_[k] / fmt::format("{}-{}{}", vector, io_type_name(type), part);
    const std::uint64_t seed = seed_ + k + file * kSeedsOfProcesses;
    HDB_ASSIGN(MadeColumn column, make_column(path, {type, elements / files, seed}));
    columns.push_back(std::move(column));
  }
  return columns;
}

Result<CacheProof> make_columns(Cache state, const std::vector<MadeColumn>& columns) {
  HDB_ASSIGN(const Held held, hold(columns));
  return state == Cache::kCold ? make_cold(held) : make_warm(held);
}

}  // namespace hdbench::bench
