// Small databases for tests: a table `quote` of time, sym (parted) and bid, made with the writer.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"
#include "engine/testing/scratch_files.h"

namespace hdbench {

// `rows` rows whose values begin with `first`; symbols a and b fill the halves. The directory must
// not hold them yet.
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
