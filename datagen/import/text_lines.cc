#include "datagen/import/text_lines.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <span>
#include <utility>

namespace hdbench::datagen {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr unsigned kStoredBufferBytes = 256 << 10;

// What a file that is packed otherwise begins with.
struct Packed {
  std::string_view bytes;
  std::string_view what;
};
constexpr std::array<Packed, 4> kPacked = {{{"PK\3\4", "a zip archive: unzip it"},
                                            {"\x28\xb5\x2f\xfd", "packed by zstd: unpack it"},
                                            {"\xfd\x37zXZ", "packed by xz: unpack it"},
                                            {"BZh", "packed by bzip2: unpack it"}}};

Status refuse_packed(const OpenFile& file, const std::filesystem::path& path) {
  std::array<char, 8> first = {};
  const auto bytes = std::min<std::uint64_t>(file.bytes, first.size());
  HDB_TRY(read_fully(file.handle, 0, std::as_writable_bytes(std::span(first).first(bytes)), path));
  for (const Packed& packed : kPacked) {
    if (std::string_view(first.data(), bytes).starts_with(packed.bytes))
      return data_error(fmt::format("{}: {}", path.string(), packed.what));
  }
  return ok_status();
}

// Why the last read gave less than was requested; no error at the file's end.
Status reading_status(gzFile stream, const std::filesystem::path& path) {
  const int errno_before = errno;
  int code = Z_OK;
  const char* const text = gzerror(stream, &code);
  switch (code) {
    case Z_OK:
    case Z_STREAM_END: return ok_status();
    case Z_MEM_ERROR: throw std::bad_alloc();
    case Z_ERRNO: return file_error(path, "cannot read", errno_before);
    case Z_BUF_ERROR:
      return data_error(fmt::format("{}: ends within what gzip compressed", path.string()));
    default:
      return data_error(
          fmt::format("{}: damaged in what gzip compressed: {}", path.string(), text));
  }
}

}  // namespace

void TextLines::CloseStream::operator()(gzFile_s* stream) const { gzclose_r(stream); }

TextLines::TextLines(std::filesystem::path path, OpenFile file)
    : path_(std::move(path)), file_(std::move(file)), buffer_(kBufferBytes) {}

Result<TextLines> TextLines::open(const std::filesystem::path& path) {
  HDB_ASSIGN(OpenFile file, open_file(path));
  HDB_TRY(refuse_packed(file, path));
  const int copy = ::fcntl(file.handle.descriptor(), F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return file_error(path, "cannot open", errno);
  TextLines lines(path, std::move(file));
  lines.stream_.reset(gzdopen(copy, "rb"));
  if (lines.stream_ == nullptr) {
    ::close(copy);
    throw std::bad_alloc();
  }
  gzbuffer(lines.stream_.get(), kStoredBufferBytes);
  return lines;
}

std::uint64_t TextLines::stored_bytes_read() const {
  const auto offset = gzoffset(stream_.get());
  return offset < 0 ? 0 : static_cast<std::uint64_t>(offset);
}

Status TextLines::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= std::exchange(begin_, 0);
  }
  const auto room = static_cast<unsigned>(buffer_.size() - end_);
  const int got = gzread(stream_.get(), buffer_.data() + end_, room);
  if (got <= 0) HDB_TRY(reading_status(stream_.get(), path_));
  if (got <= 0) {
    is_at_end_ = true;
    return ok_status();
  }
  end_ += static_cast<std::size_t>(got);
  text_bytes_ += static_cast<std::uint64_t>(got);
  return ok_status();
}

void TextLines::give(TextLine& line, std::size_t end, std::size_t after) {
  std::string_view text(buffer_.data() + begin_, end - begin_);
  if (text.ends_with('\r')) text.remove_suffix(1);
  line.is_too_long = std::exchange(skips_, false) || text.size() > kLineBytesMax;
  line.text = line.is_too_long ? std::string_view() : text;
  line.number = ++line_number_;
  begin_ = after;
}

Result<bool> TextLines::next(TextLine& line) {
  std::size_t searched = 0;  // bytes from begin_ on that have no line's end
  for (;;) {
    const char* const from = buffer_.data() + begin_ + searched;
    const auto* const found =
        static_cast<const char*>(std::memchr(from, '\n', end_ - begin_ - searched));
    if (found != nullptr) {
      const auto end = static_cast<std::size_t>(found - buffer_.data());
      give(line, end, end + 1);
      return true;
    }
    if (is_at_end_) {
      if (begin_ == end_ && !skips_) return false;
      give(line, end_, end_);
      return true;
    }
    searched = end_ - begin_;
    if (searched > kLineBytesMax) {
      skips_ = true;
      begin_ = end_ = searched = 0;
    }
    HDB_TRY(fill());
  }
}

}  // namespace hdbench::datagen
