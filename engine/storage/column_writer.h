// Writes kdb+ files, for the generator and tests (docs/hdb-format.md, "Writing").
//
// A ColumnWriter takes a column's elements in pieces, so that the column need not fit in memory,
// and writes header, vector and p# index. The file is complete after finish(); the caller takes
// care of directories. Errors: kData, naming the file and the system's message (disk full: with the
// bytes written and needed).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/file_handle.h"
#include "engine/base/result.h"
#include "engine/column/column.h"
#include "engine/column/type.h"
#include "engine/zip/kx_zip_writer.h"

namespace hdbench {

struct ColumnSpec {
  QType type = QType::kLong;
  Attribute attribute = Attribute::kNone;  // kNone, kSorted or kParted
  std::string domain;                      // symbols only: the enumeration's name, "sym"
  std::uint64_t rows = 0;                  // the exact count that will be appended
};

// What a column's file begins with: `fe 20` and 16 bytes, or a page of `fd 20` for symbols.
std::vector<std::byte> column_header_bytes(const ColumnSpec& spec);

// Whether closing a file waits for the device. kLater only starts the writing: the caller flushes
// several files together, which costs a device's round trip once instead of once a file.
enum class Flush { kNow, kLater };

class ColumnWriter {
 public:
  // Creates the file (which must not exist) and writes the header: `fe 20`, or `fd 20` for symbols
  // (8-byte codes).
  static Result<ColumnWriter> create(const std::filesystem::path& path, const ColumnSpec& spec,
                                     const Compression& compression = {});
  // Little-endian elements, a multiple of the type's width.
  Status append(std::span<const std::byte> elements);

  // Writes the index (kParted needs one), flushes to the device and closes. Requires: exactly
  // spec.rows were appended. Gives the XXH3-64 of the file's bytes.
  Result<std::uint64_t> finish(const PartedIndex* index = nullptr, Flush flush = Flush::kNow);

 private:
  ColumnWriter(const std::filesystem::path& path, const ColumnSpec& spec, FileHandle file);
  // Of the plain file.
  Status write(std::span<const std::byte> bytes);
  // Of the file as it is stored.
  Status store(std::span<const std::byte> bytes);

  FileHandle file_;
  std::filesystem::path path_;
  ColumnSpec spec_;
  std::optional<ZipStream> zip_;     // of compressed files
  std::uint64_t written_bytes_ = 0;  // header and elements, plain
  std::uint64_t stored_bytes_ = 0;
  std::unique_ptr<void, void (*)(void*)> hash_;  // XXH3's state
};

// A `ff 01 0b` symbol list (`sym`, `.d`), written whole, flushed and closed.
Status write_symbol_list(const std::filesystem::path& path, std::span<const std::string> symbols,
                         Flush flush = Flush::kNow);

}  // namespace hdbench
