// The lines of a text file of any length, plain or compressed by gzip.
//
// The file is read once, in pieces, into a buffer of a fixed size: no line is copied anywhere else.
// What a file is, its first bytes say, not its name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/base/file_handle.h"
#include "engine/base/result.h"

struct gzFile_s;  // of zlib

namespace hdbench::datagen {

// Longer lines are given as too long, without their text.
constexpr std::size_t kLineBytesMax = std::size_t{64} << 10;

struct TextLine {
  std::string_view text{};   // without the line's end, `\n` or `\r\n`; valid until the next one
  std::uint64_t number = 0;  // from 1
  bool is_too_long = false;
};

class TextLines {
 public:
  // Errors: kData, naming the path: it cannot be opened, is no regular file, or is packed otherwise
  // than by gzip.
  static Result<TextLines> open(const std::filesystem::path& path);

  // The next line; false: there is none. What follows the last line's end is a line unless it is
  // empty. Errors: kData, naming the path: it cannot be read, or what is compressed is damaged or
  // cut.
  Result<bool> next(TextLine& line);

  std::uint64_t text_bytes() const { return text_bytes_; }  // read so far, decompressed
  std::uint64_t stored_bytes_read() const;                  // read so far, as stored

 private:
  TextLines(std::filesystem::path path, OpenFile file);
  // More bytes behind those that are left; nothing more: is_at_end_.
  Status fill();
  void give(TextLine& line, std::size_t end, std::size_t after);

  struct CloseStream {
    void operator()(gzFile_s* stream) const;
  };

  std::filesystem::path path_;
  OpenFile file_;
  std::unique_ptr<gzFile_s, CloseStream> stream_;  // passes plain files through
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // of what was not given yet
  std::size_t end_ = 0;
  std::uint64_t line_number_ = 0;
  std::uint64_t text_bytes_ = 0;
  bool is_at_end_ = false;
  bool skips_ = false;  // the front of the line was too long and is gone
};

}  // namespace hdbench::datagen
