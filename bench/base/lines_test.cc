#include "bench/base/lines.h"

#include "engine/base/catch.h"

using namespace hdbench;

TEST_CASE("a line is added once") {
  std::vector<std::string> lines;
  for (const char* line : {"a", "b", "a"}) add_once(lines, line);
  CHECK(lines == std::vector<std::string>{"a", "b"});
}

TEST_CASE("text is broken at blanks, and lines after the first are indented") {
  CHECK(folded("one two three", 9, "  ") == "one two\n  three\n");
  CHECK(folded("incompressible words", 4, " ") == "incompressible\n words\n");
  CHECK(folded("", 10, "") == "\n");
}
