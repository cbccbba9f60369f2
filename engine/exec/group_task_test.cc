#include "engine/exec/group_task.h"

#include "engine/base/catch.h"

using namespace hdbench;

TEST_CASE("what an index tells of a morsel is its field's key") {
  QueryInput input;
  input.index_field = 3;
  Morsel morsel;
  REQUIRE_FALSE(told_key(input, morsel).has_value());
  morsel.index_key = -7;
  const auto told = told_key(input, morsel);
  REQUIRE(told.has_value());
  REQUIRE(told->field == 3);
  REQUIRE(told->value == -7);
}
