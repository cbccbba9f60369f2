#include "engine/exec/morsel_keys.h"

#include "engine/base/catch.h"
#include "engine/exec/narrow_days.h"

using namespace hdbench;

TEST_CASE("a partition's key and one that an index tells are constant, the others are read") {
  ThreadPool pool(1);
  const auto table = two_narrow_days([](std::uint64_t) { return std::uint8_t{1}; },
                                     [](std::uint64_t) { return std::uint8_t{4}; });
  const Plan plan = last_by({{"date", kDate}, {"venue", kVenue}, {"sym", kSym}}, 0);
  auto input = make_query_input(*table, plan, {}, pool);
  REQUIRE(input.ok());
  const auto columns = make_key_columns(table->schema(), plan, input->slices, std::nullopt);
  const GroupIndex index(word_cardinalities(columns), *std::pmr::new_delete_resource());
  MorselKeys keys;
  for (const std::uint32_t day : {0, 1}) {
    keys.settle(*input, columns, index, {day, {0, kDayRows}, 0, std::nullopt});
    REQUIRE(keys.read.size() == 2);
    REQUIRE(keys.read[0].key->field == kSym);
    REQUIRE(keys.read[0].shift == 0);
    REQUIRE(keys.read[1].key->field == kVenue);
    REQUIRE(keys.constant_slot == day << index.shift(0));
    const std::uint32_t id = 2 | 4u << keys.read[1].shift;
    REQUIRE(keys.read[0].word_of(id) == 2);
    REQUIRE(keys.read[1].word_of(id) == 4);
    REQUIRE(keys.read[0].lies_as_words(1));
    REQUIRE_FALSE(keys.read[0].lies_as_words(2));
  }
  input->index_field = kSym;
  keys.settle(*input, columns, index, {1, {0, kDayRows}, 0, 2});
  REQUIRE(keys.read.size() == 1);
  REQUIRE(keys.constant_slot == (2u | 1u << index.shift(0)));
}
