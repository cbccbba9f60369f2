#include "datagen/import/symbol_table.h"

#include "engine/base/catch.h"

namespace hdbench::datagen {

TEST_CASE("each text has one code, in the order of first appearance") {
  SymbolTable table;
  CHECK(table.texts().empty());
  CHECK(table.codes_in_text_order().empty());
  CHECK(table.code_of("MSFT") == 0);
  CHECK(table.code_of("") == 1);
  CHECK(table.code_of("A") == 2);
  CHECK(table.code_of("MSFT") == 0);
  CHECK(table.texts() == std::vector<std::string>{"MSFT", "", "A"});
  CHECK(table.codes_in_text_order() == std::vector<std::uint32_t>{1, 2, 0});
}

TEST_CASE("codes stay when there are many") {
  SymbolTable table;
  for (int i = 0; i < 20'000; ++i) REQUIRE(table.code_of("S" + std::to_string(i)) == i);
  for (int i = 0; i < 20'000; ++i) REQUIRE(table.code_of("S" + std::to_string(i)) == i);
}

}  // namespace hdbench::datagen
