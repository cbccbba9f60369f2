#include "engine/base/text_depth.h"

#include <string>

#include "engine/base/catch.h"

namespace hdbench {
namespace {

TEST_CASE("a text without brackets has no depth") {
  CHECK(json_depth("") == 0);
  CHECK(json_depth("1") == 0);
  CHECK(json_depth(R"("[[[")") == 0);
}

TEST_CASE("the deepest nesting counts, lists and objects alike") {
  CHECK(json_depth("[]") == 1);
  CHECK(json_depth(R"({"a": [1, [2]], "b": {}})") == 3);
  CHECK(json_depth(std::string(100000, '[')) == 100000);
}

TEST_CASE("a quote behind a backslash ends no string") {
  CHECK(json_depth(R"(["\"[[["])") == 1);
  CHECK(json_depth(R"(["\\", [2]])") == 2);
  CHECK(json_depth(R"("\)") == 0);
}

TEST_CASE("brackets that close nothing are no depth") { CHECK(json_depth("]]][") == 1); }

}  // namespace
}  // namespace hdbench
