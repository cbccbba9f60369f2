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
#include "engine/storage/column_header.h"
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

Error system_error(const std::filesystem::path& path, std::string_view what) {
  return data_error(fmt::format("{}: {}: {}", path.string(), what, std::strerror(errno)));
}

Result<int> create_file(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0) return system_error(path, "cannot create");
  return fd;
}

// Writes all of `bytes` at the file's end; `before` and `needed` are for the message of a full
// disk.
Status write_all(int fd, const std::filesystem::path& path, std::span<const std::byte> bytes,
                 std::uint64_t before, std::uint64_t needed) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t wrote = ::write(fd, bytes.data() + done, bytes.size() - done);
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

Status flush_and_close(int fd, const std::filesystem::path& path, Flush flush) {
  if (flush == Flush::kLater) {
    // A hint: where it is refused, the caller's flush does all the work.
    ::sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE);
  } else if (::fsync(fd) != 0) {
    const Error error = system_error(path, "cannot flush");
    ::close(fd);
    return error;
  }
  if (::close(fd) != 0) return system_error(path, "cannot close");
  return ok_status();
}

std::size_t header_bytes(const ColumnSpec& spec) {
  return spec.type == QType::kSymbol ? kEnumerationHeaderBytes : kVectorHeaderBytes;
}

}  // namespace

std::vector<std::byte> column_header_bytes(const ColumnSpec& spec) {
  return spec.type == QType::kSymbol ? enumeration_header(spec) : vector_header(spec);
}

Result<ColumnWriter> ColumnWriter::create(const std::filesystem::path& path,
                                          const ColumnSpec& spec) {
  const bool symbols = spec.type == QType::kSymbol;
  HDB_CHECK(symbols || is_plain_type(static_cast<int>(spec.type)), "a type that files can hold");
  HDB_CHECK(
      !symbols || (!spec.domain.empty() && spec.domain.size() < kTrailerOffset - kDomainNameOffset),
      "symbols have a domain with a name that fits the header");
  HDB_CHECK(spec.attribute == Attribute::kNone || spec.attribute == Attribute::kSorted ||
                (spec.attribute == Attribute::kParted && symbols),
            "only s#, and p# over symbols, are written");
  ColumnWriter writer;
  HDB_ASSIGN(writer.fd_, create_file(path));
  writer.path_ = path;
  writer.spec_ = spec;
  writer.hash_ = XXH3_createState();
  if (writer.hash_ == nullptr) throw std::bad_alloc();
  XXH3_64bits_reset(static_cast<XXH3_state_t*>(writer.hash_));
  HDB_TRY(writer.write(column_header_bytes(spec)));
  return writer;
}

ColumnWriter::ColumnWriter(ColumnWriter&& other) noexcept { *this = std::move(other); }

ColumnWriter& ColumnWriter::operator=(ColumnWriter&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  std::swap(spec_, other.spec_);
  std::swap(written_bytes_, other.written_bytes_);
  std::swap(hash_, other.hash_);
  return *this;
}

ColumnWriter::~ColumnWriter() {
  if (fd_ >= 0) ::close(fd_);
  XXH3_freeState(static_cast<XXH3_state_t*>(hash_));
}

Status ColumnWriter::write(std::span<const std::byte> bytes) {
  const std::uint64_t needed = header_bytes(spec_) + spec_.rows * type_width(spec_.type);
  HDB_TRY(write_all(fd_, path_, bytes, written_bytes_, needed));
  XXH3_64bits_update(static_cast<XXH3_state_t*>(hash_), bytes.data(), bytes.size());
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
  HDB_TRY(flush_and_close(std::exchange(fd_, -1), path_, flush));
  return XXH3_64bits_digest(static_cast<XXH3_state_t*>(hash_));
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
  HDB_ASSIGN(const int fd, create_file(path));
  if (Status written = write_all(fd, path, bytes, 0, bytes.size()); !written.ok()) {
    ::close(fd);
    return written;
  }
  return flush_and_close(fd, path, flush);
}

}  // namespace hdbench
