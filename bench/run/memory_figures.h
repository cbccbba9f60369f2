// q's `.Q.w[]`: the same eight names (docs/q-semantics.md, "Memory").
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "engine/column/table.h"

namespace hdbench::bench {

struct MemoryFigures {
  std::uint64_t used = 0;  // bytes of the workspace, with the result in it
  std::uint64_t heap = 0;  // the same: what is given back goes back to the medium at once
  std::uint64_t peak = 0;  // the highest used
  std::uint64_t wmax = 0;  // -w in bytes, 0 where there is none
  std::uint64_t mmap = 0;  // bytes of the database's files that are mapped
  std::uint64_t mphy = 0;  // physical memory
  std::uint64_t syms = 0;  // symbols in the table's domains
  std::uint64_t symw = 0;  // bytes of their texts
};

// Fills in mmap, mphy, syms and symw.
void add_surroundings(MemoryFigures& figures, const Table& table,
                      const std::filesystem::path& database,
                      const std::filesystem::path& procfs = "/proc");

// A line a name, as q shows a dictionary: "used| 4096".
std::string to_text(const MemoryFigures& figures);

}  // namespace hdbench::bench
