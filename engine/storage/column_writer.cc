#include "engine/storage/column_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "engine/base/check.h"
#include "engine/storage/column_file.h"
#include "engine/storage/parted_index.h"

namespace hdbench {
namespace {

constexpr std::size_t kDomainNameOffset = 16;
constexpr std::size_t kTrailerOffset = 4080;

template <typename T>
void put(std::vector<std::byte>& bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof(T));
}

std::vector<std::byte> vector_header(const ColumnSpec& spec) {
  std::vector<std::byte> header(kVectorHeaderBytes);
  header[0] = std::byte{0xfe};
  header[1] = std::byte{0x20};
  header[2] = static_cast<std::byte>(spec.type);
  header[3] = static_cast<std::byte>(spec.attribute);
  put(header, 8, spec.rows);
  return header;
}

std::vector<std::byte> enumeration_header(const ColumnSpec& spec) {
  std::vector<std::byte> header(kEnumerationHeaderBytes);
  header[0] = header[kTrailerOffset] = std::byte{0xfd};
  header[1] = std::byte{0x20};
  std::memcpy(header.data() + kDomainNameOffset, spec.domain.data(), spec.domain.size());
  header[kTrailerOffset + 2] = std::byte{kEnumerationType};
  header[kTrailerOffset + 3] = static_cast<std::byte>(spec.attribute);
  put(header, kTrailerOffset + 8, spec.rows);
  return header;
}

XXH3_state_t* state_of(void* hash) { return static_cast<XXH3_state_t*>(hash); }

void free_hash(void* hash) { XXH3_freeState(state_of(hash)); }

Result<FileHandle> create_file(const std::filesystem::path& path) {
  FileHandle file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (!file.is_open()) return file_error(path, "cannot create", errno);
  return file;
}

// Writes all of `bytes` at the file's end; `before` and `needed` are for the message of a full
// disk.
Status write_all(const FileHandle& file, const std::filesystem::path& path,
                 std::span<const std::byte> bytes, std::uint64_t before, std::uint64_t needed) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t wrote = ::write(file.descriptor(), bytes.data() + done, bytes.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      return data_error(fmt::format("{}: {} after {} of {} bytes", path.string(),
                                    std::strerror(wrote == 0 ? ENOSPC : errno), before + done,
                                    needed));
    }
    done += static_cast<std::size_t>(wrote);
  }
  return ok_status();
}

Status flush_and_close(FileHandle file, const std::filesystem::path& path, Flush flush) {
  if (flush == Flush::kLater) {
    // A hint: where it is refused, the caller's flush does all the work.
    ::sync_file_range(file.descriptor(), 0, 0, SYNC_FILE_RANGE_WRITE);
  } else if (::fsync(file.descriptor()) != 0) {
    return file_error(path, "cannot flush", errno);
  }
  if (::close(file.release()) != 0) return file_error(path, "cannot close", errno);
  return ok_status();
}

std::size_t header_bytes(const ColumnSpec& spec) {
  return spec.type == QType::kSymbol ? kEnumerationHeaderBytes : kVectorHeaderBytes;
}

}  // namespace

std::vector<std::byte> column_header_bytes(const ColumnSpec& spec) {
  return spec.type == QType::kSymbol ? enumeration_header(spec) : vector_header(spec);
}

Result<ColumnWriter> ColumnWriter::create(const std::filesystem::path& path, const ColumnSpec& spec,
                                          const Compression& compression) {
  const bool symbols = spec.type == QType::kSymbol;
  HDB_CHECK(symbols || is_plain_type(static_cast<int>(spec.type)), "a type that files can hold");
  HDB_CHECK(
      !symbols || (!spec.domain.empty() && spec.domain.size() < kTrailerOffset - kDomainNameOffset),
      "symbols have a domain with a name that fits the header");
  HDB_CHECK(spec.attribute == Attribute::kNone || spec.attribute == Attribute::kSorted ||
                (spec.attribute == Attribute::kParted && symbols),
            "only s#, and p# over symbols, are written");
  HDB_ASSIGN(FileHandle file, create_file(path));
  ColumnWriter writer(path, spec, std::move(file));
  if (compression.algorithm != 0) writer.zip_.emplace(compression);
  HDB_TRY(writer.write(column_header_bytes(spec)));
  return writer;
}

ColumnWriter::ColumnWriter(const std::filesystem::path& path, const ColumnSpec& spec,
                           FileHandle file)
    : file_(std::move(file)), path_(path), spec_(spec), hash_(XXH3_createState(), free_hash) {
  if (hash_ == nullptr) throw std::bad_alloc();
  XXH3_64bits_reset(state_of(hash_.get()));
}

Status ColumnWriter::store(std::span<const std::byte> bytes) {
  const std::uint64_t needed = header_bytes(spec_) + spec_.rows * type_width(spec_.type);
  HDB_TRY(write_all(file_, path_, bytes, stored_bytes_, needed));
  XXH3_64bits_update(state_of(hash_.get()), bytes.data(), bytes.size());
  stored_bytes_ += bytes.size();
  return ok_status();
}

Status ColumnWriter::write(std::span<const std::byte> bytes) {
  if (zip_) {
    HDB_TRY(zip_->append(bytes, [this](Bytes stored) { return store(stored); }));
  } else {
    HDB_TRY(store(bytes));
  }
  written_bytes_ += bytes.size();
  return ok_status();
}

Status ColumnWriter::append(std::span<const std::byte> elements) {
  const std::uint32_t width = type_width(spec_.type);
  const std::uint64_t room = header_bytes(spec_) + spec_.rows * width - written_bytes_;
  HDB_CHECK(elements.size() % width == 0, "whole elements are appended");
  HDB_CHECK(elements.size() <= room, "no more rows than announced");
  return write(elements);
}

Result<std::uint64_t> ColumnWriter::finish(const PartedIndex* index, Flush flush) {
  const std::uint64_t vector_bytes = spec_.rows * type_width(spec_.type);
  HDB_CHECK(written_bytes_ == header_bytes(spec_) + vector_bytes, "as many rows as announced");
  HDB_CHECK((index != nullptr) == (spec_.attribute == Attribute::kParted),
            "an index exactly for p#");
  if (index != nullptr) HDB_TRY(write(encode_parted_index(*index, 8, vector_bytes)));
  if (zip_) HDB_TRY(zip_->finish([this](Bytes stored) { return store(stored); }));
  HDB_TRY(flush_and_close(std::move(file_), path_, flush));
  return XXH3_64bits_digest(state_of(hash_.get()));
}

Status write_symbol_list(const std::filesystem::path& path, std::span<const std::string> symbols,
                         Flush flush) {
  constexpr std::size_t kHeaderBytes = 8;
  std::vector<std::byte> bytes(kHeaderBytes);
  bytes[0] = std::byte{0xff};
  bytes[1] = std::byte{0x01};
  bytes[2] = std::byte{0x0b};
  put(bytes, 4, static_cast<std::uint32_t>(symbols.size()));
  for (const std::string& symbol : symbols) {
    if (symbol.find('\0') != std::string::npos) {
      return data_error(fmt::format("{}: a symbol of {} bytes holds a NUL, which ends symbols",
                                    path.string(), symbol.size()));
    }
    const auto* text = reinterpret_cast<const std::byte*>(symbol.c_str());
    bytes.insert(bytes.end(), text, text + symbol.size() + 1);
  }
  HDB_ASSIGN(FileHandle file, create_file(path));
  HDB_TRY(write_all(file, path, bytes, 0, bytes.size()));
  return flush_and_close(std::move(file), path, flush);
}

}  // namespace hdbench
