#include "engine/operator/slot_reader.h"

#include <optional>
#include <string>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"
#include "engine/kernel/bits.h"

using namespace hdbench;

namespace {

// Rows of a symbol of five and a boolean, as the keys of a table of slots: three bits and eight.
struct Keys {
  explicit Keys(std::vector<std::int32_t> codes, std::vector<std::uint8_t> flags) {
    const auto domain = make_domain("sym", {"a", "b", "c", "d", "e"});
    columns.push_back(make_column<std::int32_t>(QType::kSymbol, codes, domain));
    columns.push_back(make_column<std::uint8_t>(QType::kBoolean, flags));
    view.rows = codes.size();
    view.columns = {&columns[0], &columns[1]};
    keys = {{0, QType::kSymbol, 0, 5, 0, 1}, {1, QType::kBoolean, 0, 256, 1, 1}};
  }

  std::vector<Column> columns;
  PartitionView view;
  std::vector<KeyColumn> keys;
};

}  // namespace

TEST_CASE("slots hold the keys of the selected rows, side by side") {
  Keys of({4, 0, 3, 3, 1}, {1, 0, 1, 0, 0});
  const GroupIndex index(word_cardinalities(of.keys), *std::pmr::new_delete_resource());
  SlotReader reader(of.keys, index);
  reader.begin(of.view, std::nullopt);
  REQUIRE(reader.fields().size() == 2);
  std::vector<std::uint32_t> slots(SlotReader::kRowsMax);
  const auto all = reader.read({0, 5}, nullptr);
  REQUIRE((all.ok() && !*all));
  reader.pack(slots.data());
  REQUIRE(std::vector(slots.begin(), slots.begin() + 5) ==
          std::vector<std::uint32_t>{0x401, 0, 0x301, 0x300, 0x100});
  const std::uint64_t bits[] = {0b10100};
  REQUIRE(reader.read({0, 5}, bits).ok());
  reader.pack(slots.data());
  REQUIRE(slots[0] == 0x301);
  REQUIRE(slots[1] == 0x100);
}

TEST_CASE("rows of one key have one slot, told or found") {
  Keys of({2, 2, 2}, {1, 1, 1});
  const GroupIndex index(word_cardinalities(of.keys), *std::pmr::new_delete_resource());
  SlotReader reader(of.keys, index);
  reader.begin(of.view, std::nullopt);
  REQUIRE(**reader.read({0, 3}, nullptr) == 0x201);
  reader.begin(of.view, FixedKey{0, 4});
  REQUIRE(reader.fields().size() == 1);
  REQUIRE(**reader.read({0, 3}, nullptr) == 0x401);
}

TEST_CASE("a key that varies leaves a range of slots") {
  Keys of({2, 2, 2}, {1, 0, 1});
  const GroupIndex index(word_cardinalities(of.keys), *std::pmr::new_delete_resource());
  SlotReader reader(of.keys, index);
  reader.begin(of.view, std::nullopt);
  REQUIRE(reader.read({0, 3}, nullptr).ok());
  REQUIRE(reader.slots_begin() == 0x200);
  REQUIRE(reader.slots_end() == 0x300);
}

TEST_CASE("rows are split by the slots that their ids represent") {
  Keys of({2, 4, 2, 0, 4}, {1, 1, 1, 1, 1});
  const GroupIndex index(word_cardinalities(of.keys), *std::pmr::new_delete_resource());
  SlotReader reader(of.keys, index);
  reader.begin(of.view, std::nullopt);
  const std::uint64_t bits[] = {0b10111};
  REQUIRE(reader.read({0, 5}, bits).ok());
  IdRuns split;
  REQUIRE(split.split(reader.ids()));
  REQUIRE(split.runs().size() == 2);
  REQUIRE(reader.slot_of(split.runs()[0].id) == 0x201);
  REQUIRE(split.runs()[0].bits[0] == 0b00101);
  REQUIRE(reader.slot_of(split.runs()[1].id) == 0x401);
  REQUIRE(split.runs()[1].bits[0] == 0b10010);
}

TEST_CASE("long runs of neighbours are found, short ones refused") {
  constexpr std::size_t kRows = 10 * NeighbourRuns::kRowsARun;
  std::vector<std::uint16_t> ids(kRows, 3);
  const RowIds rows{2, reinterpret_cast<const std::byte*>(ids.data()), kRows};
  NeighbourRuns split;
  REQUIRE(split.split(rows));
  REQUIRE(split.ends().size() == 1);
  REQUIRE(split.ends()[0] == kRows);
  ids[0] = 1;
  ids[kRows - 1] = 2;
  REQUIRE(split.split(rows));
  REQUIRE(std::vector(split.ends().begin(), split.ends().end()) ==
          std::vector<std::uint16_t>{1, kRows - 1, kRows});
  for (std::size_t row = 0; row < kRows; ++row) ids[row] = static_cast<std::uint16_t>(row / 8);
  REQUIRE_FALSE(split.split(rows));
}

TEST_CASE("neighbours with equal keys are numbered like keys that are looked up") {
  const std::vector<std::uint64_t> first = {7, 7, 7, 2, 2, 9}, second = {1, 1, 3, 3, 3, 3};
  constexpr std::uint64_t kUnknown[] = {0, 0};
  GroupIndex by_neighbours(kUnknown, *std::pmr::new_delete_resource());
  GroupIndex by_key(kUnknown, *std::pmr::new_delete_resource());
  for (std::size_t at = 0; at < first.size(); at += 2) {
    const std::uint64_t* const words[] = {first.data() + at, second.data() + at};
    std::uint32_t found[2], expected[2];
    by_neighbours.assign_neighbours(words, 2, found);
    by_key.assign(words, 2, expected);
    REQUIRE(found[0] == expected[0]);
    REQUIRE(found[1] == expected[1]);
  }
  REQUIRE(by_neighbours.size() == 4);
}

TEST_CASE("a selected code outside the domain is an error, another one is not") {
  for (const std::int32_t code : {5, 7, 8, 1000, -1}) {
    Keys of({0, code, 1}, {0, 0, 0});
    const GroupIndex index(word_cardinalities(of.keys), *std::pmr::new_delete_resource());
    SlotReader reader(of.keys, index);
    std::vector<std::uint32_t> slots(SlotReader::kRowsMax);
    reader.begin(of.view, std::nullopt);
    REQUIRE_FALSE(reader.read({0, 3}, nullptr).ok());
    const std::uint64_t others[] = {0b101};
    REQUIRE(reader.read({0, 3}, others).ok());
    reader.pack(slots.data());
    REQUIRE(slots[0] == 0);
    REQUIRE(slots[1] == 0x100);
  }
}
