#include "bench/base/wrapped_text.h"

#include "engine/base/catch.h"

namespace hdbench {

TEST_CASE("text is broken between words, and no word is cut") {
  CHECK(wrapped_text("", 10, 2).empty());
  CHECK(wrapped_text("one", 10, 2) == "one");
  CHECK(wrapped_text("one two three", 9, 2) == "one two\n  three");
  CHECK(wrapped_text("one two three", 7, 0) == "one two\nthree");
  CHECK(wrapped_text("a-very-long-word and", 6, 1) == "a-very-long-word\n and");
  CHECK(wrapped_text("one\ntwo", 20, 3) == "one\n   two");
}

TEST_CASE("a first line that is begun already is counted") {
  CHECK(wrapped_text("three four", 12, 4, 4) == "three\n    four");
  CHECK(wrapped_text("seventeen", 12, 4, 9) == "\n    seventeen");
}

}  // namespace hdbench
