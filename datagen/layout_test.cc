#include "datagen/layout.h"

#include <set>

#include "engine/base/catch.h"

namespace hdbench::datagen {
namespace {

std::string names(const Spec& spec) {
  std::string joined;
  for (const ColumnPlan& column : column_plans(spec)) joined += column.name + " ";
  return joined;
}

}  // namespace

TEST_CASE("two columns are date and time") { CHECK(names({.columns = 2}) == "time "); }

TEST_CASE("columns count the virtual date") {
  CHECK(names({}) == "time col1 col2 col3 bid ask bsize asize ");
  CHECK(names({.columns = 12}) == "time col1 col2 col3 bid ask bsize asize f1 l1 f2 ");
  CHECK(names({.profile = Profile::kTaq, .columns = 10}) ==
        "time sym bid ask bsize asize mode ex f1 ");
}

TEST_CASE("every count gives as many columns with names of their own") {
  for (std::uint32_t count = kColumnsMin; count <= kColumnsMax; ++count) {
    std::set<std::string> distinct;
    for (const ColumnPlan& column : column_plans({.columns = count})) distinct.insert(column.name);
    CHECK(distinct.size() == count - 1);
  }
}

}  // namespace hdbench::datagen
