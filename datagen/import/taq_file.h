// Reads one Daily TAQ file into rows.
//
// A line that is not what its header promises is left out and counted, and so is one whose symbol,
// time or price is none; the first few are kept with what is wrong with them. Another field that
// does not fit its column is null and counted: the row stays. No line is copied: fields are views
// into the reader's buffer.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "datagen/import/row_store.h"
#include "datagen/import/taq_format.h"
#include "engine/base/result.h"

namespace hdbench::datagen {

// Why a line is left out.
enum class LineFlaw : std::uint8_t {
  kFieldCount,
  kTooLong,
  kAfterEnd,
  kNoSymbol,
  kText,
  kTime,
  kPrice,
};
constexpr std::size_t kLineFlaws = 7;

struct CountedValues {
  std::uint64_t count = 0;
  std::string first;  // "'1.5' in line 12"
};

// A column's values that are not stored as the file has them.
struct TaqColumnReport {
  std::string name;       // as the file has it
  CountedValues nulls;    // that do not fit the column
  CountedValues rounded;  // prices that are others as reals
};

struct TaqFileReport {
  std::filesystem::path path;
  std::uint64_t lines = 0;  // without header and END
  std::uint64_t rows = 0;
  std::uint64_t text_bytes = 0;
  std::array<std::uint64_t, kLineFlaws> bad = {};
  std::vector<std::string> first_bad;  // "FILE:12: 5 fields, the header has 23"
  std::array<TaqColumnReport, kTaqColumns> columns;
  std::optional<TaqEnd> end;  // nothing: the file has no END line

  std::uint64_t bad_lines() const { return lines - rows; }
};

// Warnings about a file, for people: bad lines, values that are stored as null or rounded, an END
// line that is absent or counts other lines.
std::vector<std::string> warnings_of(const TaqFileReport& report);

struct TaqReadOptions {
  QType price_type = QType::kReal;  // or kFloat
  // Most bytes that the rows and their order may take; 0: as many as there are.
  std::uint64_t memory_bytes_max = 0;
  const std::atomic<bool>* stop = nullptr;  // true ends the work, with an error
};

// Whether somebody has set `stop`; null: nobody can.
inline bool is_stopped(const std::atomic<bool>* stop) {
  return stop != nullptr && stop->load(std::memory_order_relaxed);
}

// Only the header. Errors: kData, naming the file: TextLines', read_taq_header()'s, an empty file.
Result<TaqHeader> look_at_taq_file(const std::filesystem::path& path);

// The END line, which the whole file is read for. Errors: TextLines'.
Result<std::optional<TaqEnd>> find_taq_end(const std::filesystem::path& path,
                                           const std::atomic<bool>* stop);

// Adds the file's rows to the store, which has the columns of taq_table(). `progress` is called now
// and then with how much of the stored file has been read. Errors: kData, naming the file:
// look_at_taq_file()'s, another table than `table`, more than half of the lines bad, stopped;
// kLimit: rows take more memory than they may.
using ReadProgress = std::function<void(std::uint64_t bytes)>;
Result<TaqFileReport> read_taq_file(const std::filesystem::path& path, TaqTable table,
                                    RowStore& store, SymbolTable& symbols,
                                    const TaqReadOptions& options,
                                    const ReadProgress& progress = {});

}  // namespace hdbench::datagen
