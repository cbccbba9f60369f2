#include "bench/run/memory_figures.h"

#include <unistd.h>

#include <fstream>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"

namespace hdbench::bench {
namespace {

MemoryTable two_symbol_columns() {
  const auto sym = make_domain("sym", {"a", "bcd"});
  Schema schema;
  schema.fields = {{"x", QType::kSymbol, Attribute::kNone, sym},
                   {"y", QType::kSymbol, Attribute::kNone, sym}};
  const std::vector<std::int32_t> codes{0, 1};
  MemoryTable::Part part;
  part.columns.push_back(make_column<std::int32_t>(QType::kSymbol, codes, sym));
  part.columns.push_back(make_column<std::int32_t>(QType::kSymbol, codes, sym));
  std::vector<MemoryTable::Part> parts;
  parts.push_back(std::move(part));
  return MemoryTable("t", schema, std::move(parts));
}

TEST_CASE("a domain that two columns share is counted once, and only the database's files are") {
  const auto root = std::filesystem::canonical(std::filesystem::temp_directory_path()) /
                    ("hdbench_memory_" + std::to_string(getpid()));
  std::filesystem::create_directories(root / "self");
  std::ofstream(root / "self/maps")
      << "1000-3000 r--p 0 fe:00 12 " << root.string() << "/quote/bid\n"
      << "5000-9000 r--p 0 fe:00 13 /usr/lib/libc.so\n"
      << "a000-b000 rw-p 0 00:00 0 \n";
  MemoryFigures figures;
  add_surroundings(figures, two_symbol_columns(), root, root);
  std::filesystem::remove_all(root);
  CHECK(figures.mmap == 0x2000);
  CHECK(figures.syms == 2);
  CHECK(figures.symw == 4);
  CHECK(figures.mphy > 0);
}

TEST_CASE("the eight names come in q's order") {
  MemoryFigures figures;
  figures.peak = 7;
  CHECK(to_text(figures) ==
        "used| 0\nheap| 0\npeak| 7\nwmax| 0\nmmap| 0\nmphy| 0\nsyms| 0\nsymw| 0\n");
}

}  // namespace
}  // namespace hdbench::bench
