#include "bench/base/lines.h"

#include "engine/base/catch.h"

using namespace hdbench;
using namespace hdbench::bench;

TEST_CASE("a text is split at each mark, without the blanks around its parts") {
  using Parts = std::vector<std::string>;
  CHECK(split_trimmed("", ',') == Parts{""});
  CHECK(split_trimmed(" a , b c,", ',') == Parts{"a", "b c", ""});
}

TEST_CASE("a line is added once") {
  std::vector<std::string> lines;
  for (const char* line : {"a", "b", "a"}) add_once(lines, line);
  CHECK(lines == std::vector<std::string>{"a", "b"});
}

TEST_CASE("text is broken at blanks, and lines after the first are indented") {
  CHECK(folded("one two three", 9, "  ") == "one two\n  three\n");
  CHECK(folded("incompressible words", 4, " ") == "incompressible\n words\n");
  CHECK(folded("", 10, "") == "\n");
  CHECK(folded("one\ntwo  three ", 20, "   ") == "one\n   two three\n");
}

TEST_CASE("a first line that is begun already is counted") {
  CHECK(wrapped("three four", 12, "    ", 4) == "three\n    four");
  CHECK(wrapped("seventeen", 12, "    ", 9) == "\n    seventeen");
}

TEST_CASE("a long text is cut before its options, by which media of one profile differ") {
  CHECK(cut_to("optane-memory-mode+near=2GiB", 16, "~") == "optan~+near=2GiB");
  CHECK(cut_to("optane-memory-mode", 16, "..") == "optane-memory-..");
  CHECK(cut_to("a+with-options-too-long", 8, "~") == "a+with-~");
  CHECK(cut_to("", 8, "~").empty());
  CHECK(cut_to("12345678", 8, "~") == "12345678");
}

TEST_CASE("a line keeps the blanks before and within it and loses those at its end") {
  CHECK(line_of("") == "\n");
  CHECK(line_of("   ") == "\n");
  CHECK(line_of("  a b  ") == "  a b\n");
}

TEST_CASE("columns are as wide as a terminal shows their texts") {
  CHECK(aligned({{"caf\xC3\xA9", "1"}, {"cafes", "22"}}, 1) ==
        "caf\xC3\xA9    1\n"
        "cafes  22\n");
}

TEST_CASE("columns are as wide as their longest text, and a row may be short") {
  CHECK(aligned({}, 1).empty());
  CHECK(aligned({{"query", "ms"}, {"Q01", "12.50"}, {"Q02"}}, 1) ==
        "query     ms\nQ01    12.50\nQ02\n");
}
