// For tests: columns as files, small databases, and the samples that real kdb+ wrote.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/catch.h"
#include "engine/column/memory_table.h"
#include "engine/storage/column_writer.h"
#include "engine/testing/files.h"

namespace hdbench {

using testing::append_bytes;
using testing::bytes_of;
using testing::file_bytes;
using testing::write_bytes;
using ScratchDirectory = testing::TemporaryDirectory;

inline std::filesystem::path samples() { return HDBENCH_SAMPLES; }
inline bool have_samples() {
  const bool found = std::filesystem::exists(samples() / "expected.tsv");
  if (!found) std::fprintf(stderr, "not tested: no samples in %s\n", samples().c_str());
  return found;
}

inline ColumnSpec column_spec(QType type, std::uint64_t rows = 0) {
  return {type, Attribute::kNone, "", rows};
}
inline ColumnSpec symbol_spec(Attribute attribute = Attribute::kNone, std::string domain = "sym") {
  return {QType::kSymbol, attribute, std::move(domain), 0};
}

// Writes a whole column; false where the writer says no.
template <typename T>
bool write_column(const std::filesystem::path& path, ColumnSpec spec, std::span<const T> values,
                  const PartedIndex* index = nullptr) {
  std::filesystem::create_directories(path.parent_path());
  spec.rows = values.size();
  auto writer = ColumnWriter::create(path, spec);
  return writer.ok() && writer->append(std::as_bytes(values)).ok() && writer->finish(index).ok();
}

// A table `quote` of time, sym (parted) and bid: `rows` rows whose values begin with `first`;
// symbols a and b fill the halves. The directory must not hold them yet.
inline void write_quote(const std::filesystem::path& directory, std::int64_t first,
                        std::size_t rows) {
  std::vector<std::int64_t> times(rows);
  std::vector<std::int64_t> codes(rows);
  std::vector<double> bids(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    times[row] = first + static_cast<std::int64_t>(row);
    codes[row] = row < rows / 2 ? 0 : 1;
    bids[row] = static_cast<double>(times[row]) / 2;
  }
  const auto index = make_parted_index(make_column<std::int64_t>(QType::kSymbol, codes));
  const std::vector<std::string> names{"time", "sym", "bid"};
  std::filesystem::create_directories(directory);
  REQUIRE(write_symbol_list(directory / ".d", names).ok());
  REQUIRE(write_column<std::int64_t>(directory / "time", column_spec(QType::kTimespan), times));
  REQUIRE(write_column<std::int64_t>(directory / "sym", symbol_spec(Attribute::kParted), codes,
                                     &*index));
  REQUIRE(write_column<double>(directory / "bid", column_spec(QType::kFloat), bids));
}

inline void write_sym(const std::filesystem::path& root) {
  const std::vector<std::string> symbols{"a", "b"};
  std::filesystem::create_directories(root);
  REQUIRE(write_symbol_list(root / "sym", symbols).ok());
}

}  // namespace hdbench
