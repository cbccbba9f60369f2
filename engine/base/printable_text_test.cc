#include "engine/base/printable_text.h"

#include <string>
#include <string_view>

#include "engine/base/catch.h"

namespace hdbench {

using namespace std::string_view_literals;

TEST_CASE("plain text stays as it is") {
  CHECK(printable("").empty());
  CHECK(printable("col1 = 3\n\tnext\n") == "col1 = 3\n\tnext\n");
  CHECK(printable("caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80") ==
        "caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80");
}

TEST_CASE("control characters are written out") {
  CHECK(printable("\x1b[31mred\a\b\r\x7f"sv) == R"(\u001b[31mred\u0007\u0008\u000d\u007f)");
  CHECK(printable("a\0b"sv) == R"(a\u0000b)");
  CHECK(printable("\xC2\x9B"
                  "31m") == R"(\u009b31m)");
}

TEST_CASE("bidirectional controls and separators are written out") {
  CHECK(printable("a\xE2\x80\xAE"
                  "b") == R"(a\u202eb)");
  CHECK(printable("\xE2\x81\xA6\xE2\x81\xA9\xE2\x80\x8F\xD8\x9C\xE2\x80\xA8") ==
        R"(\u2066\u2069\u200f\u061c\u2028)");
  CHECK(printable("\xE2\x80\xB0") == "\xE2\x80\xB0");  // per mille, their neighbour
}

TEST_CASE("bytes that are no UTF-8 are written out one by one") {
  CHECK(printable("\x9b"
                  "31m") == R"(\u009b31m)");
  CHECK(printable("\xE2\x82") == R"(\u00e2\u0082)");            // cut off
  CHECK(printable("\xC0\xAF") == R"(\u00c0\u00af)");            // overlong
  CHECK(printable("\xED\xA0\x80") == R"(\u00ed\u00a0\u0080)");  // a surrogate
  CHECK(printable("\xF4\x90\x80\x80x") == R"(\u00f4\u0090\u0080\u0080x)");
}

TEST_CASE("strings of JSON hold the writing") {
  CHECK(printable_json("{\"name\":\"a\xE2\x80\xAE\"}") == R"({"name":"a\\u202e"})");
  CHECK(printable_json("[1,\n2]") == "[1,\n2]");
}

TEST_CASE("a line has neither line ends nor tabs") {
  CHECK(printable_line("two\nlines\tand") == R"(two\u000alines\u0009and)");
  CHECK(printable_line("one") == "one");
}

}  // namespace hdbench
