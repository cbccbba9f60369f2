#include "pmem/emulator/selected_lines.h"

#include <random>
#include <set>
#include <vector>

#include "engine/base/catch.h"

namespace hdbench::pmem {
namespace {

const std::byte* at(std::uintptr_t address) { return reinterpret_cast<const std::byte*>(address); }

std::set<std::uintptr_t> lines_of_elements(const SelectedElements& selection,
                                           std::uint32_t line_bytes) {
  std::set<std::uintptr_t> lines;
  for (std::uint64_t i = 0; i < selection.elements; ++i) {
    if ((selection.bits[i / 64] >> i % 64 & 1) == 0) continue;
    const auto first = reinterpret_cast<std::uintptr_t>(selection.address);
    lines.insert((first + i * selection.element_bytes) / line_bytes);
  }
  return lines;
}

std::uint64_t plain_lines(const SelectedElements& selection, std::uint32_t line_bytes) {
  return lines_of_elements(selection, line_bytes).size();
}

TEST_CASE("nothing selected accesses no line, and an extent is rounded out") {
  const std::vector<std::uint64_t> none(2, 0);
  CHECK(lines_selected({at(4096), 128, 8, none.data()}, 256) == 0);
  CHECK(lines_of_extent({at(4096), 0, 8, nullptr}, 64) == 0);
  CHECK(lines_of_extent({at(4096), 1, 1, nullptr}, 4096) == 1);
  CHECK(lines_of_extent({at(4096 - 8), 2, 8, nullptr}, 4096) == 2);
  CHECK(lines_of_extent({at(4096 + 8), 32, 8, nullptr}, 256) == 2);
  CHECK(lines_selected({at(4096 + 8), 32, 8, nullptr}, 256) == 2);
}

TEST_CASE(
    "lines are counted as element by element, for every width, line size, phase and density") {
  std::mt19937_64 random(5);
  for (const std::uint32_t width : {1U, 2U, 4U, 8U, 16U}) {
    for (const std::uint32_t line : {64U, 128U, 256U, 1024U, 4096U}) {
      for (const std::uint64_t elements : {1U, 63U, 64U, 65U, 1000U, 4096U, 9999U}) {
        for (const int density : {1, 20, 90}) {
          // Bits beyond the selection are set: they must not count.
          std::vector<std::uint64_t> bits((elements + 63) / 64, 0);
          for (std::uint64_t i = 0; i < bits.size() * 64; ++i) {
            const bool set = i >= elements || random() % 100 < static_cast<unsigned>(density);
            if (set) bits[i / 64] |= std::uint64_t{1} << i % 64;
          }
          const std::uintptr_t address = 1 << 20 | random() % 4096 / width * width;
          const SelectedElements selection{at(address), elements, width, bits.data()};
          CAPTURE(width, line, elements, density, address);
          REQUIRE(lines_selected(selection, line) == plain_lines(selection, line));
        }
      }
    }
  }
}

TEST_CASE("a page's mask has a bit for each of its lines that holds a selected element") {
  std::mt19937_64 random(6);
  for (const std::uint32_t width : {1U, 2U, 4U, 8U, 16U}) {
    for (const std::uintptr_t phase : {0U, 2U, 40U, 64U}) {
      std::vector<std::uint64_t> bits(400, 0);
      for (std::uint64_t& word : bits) word = random() & random() & random() & random() & random();
      const std::uintptr_t address = (1 << 20) + phase * width;
      const SelectedElements selection{at(address), bits.size() * 64 - 5, width, bits.data()};
      std::set<std::uintptr_t> lines;
      for (std::uintptr_t page = 0; page < 110; ++page) {
        const std::uintptr_t start = (1 << 20) + (page << 12);
        const std::uint64_t mask = line_mask_of_page(selection, start);
        for (std::uintptr_t i = 0; i < 64; ++i) {
          if (mask >> i & 1) lines.insert(start / 64 + i);
        }
      }
      CAPTURE(width, phase);
      CHECK(lines == lines_of_elements(selection, 64));
    }
  }
  const SelectedElements all{at(8192 + 64), 1024, 8, nullptr};
  CHECK(line_mask_of_page(all, 4096) == 0);
  CHECK(line_mask_of_page(all, 8192) == ~std::uint64_t{1});
  CHECK(line_mask_of_page(all, 12288) == ~std::uint64_t{0});
  CHECK(line_mask_of_page(all, 16384) == 1);
  CHECK(line_mask_of_page(all, 20480) == 0);
}

}  // namespace
}  // namespace hdbench::pmem
