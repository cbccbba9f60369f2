#include "engine/base/text.h"

#include "engine/base/catch.h"

namespace hdbench {
namespace {

using namespace std::string_view_literals;

TEST_CASE("plain text stays as it is") {
  CHECK(printable("").empty());
  CHECK(printable("a,b\r\n\r") == "a,b\r\n\\u000d");
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

TEST_CASE("a text is as wide as a terminal shows it") {
  CHECK(display_width("") == 0);
  CHECK(display_width("AAPL") == 4);
  CHECK(display_width("caf\xC3\xA9") == 4);               // e with an acute accent
  CHECK(display_width("cafe\xCC\x81") == 4);              // e, then the accent alone
  CHECK(display_width("\xE6\x97\xA5\xE6\x9C\xAC") == 4);  // two Chinese characters
  CHECK(display_width("\xF0\x9F\x98\x80!") == 3);         // an emoji
  CHECK(display_width("\xE2\x82\xAC") == 1);              // the euro sign
}

TEST_CASE("a byte that is no UTF-8 takes a column") {
  CHECK(display_width("caf\xE9") == 4);
  CHECK(display_width("\xC3") == 1);
}

TEST_CASE("a word near a known one is taken for it") {
  const std::vector<std::string> media = {"nvme", "dram", "tmpfs", "app-direct", "memory-mode"};
  CHECK(nearest_word("", media).empty());
  CHECK(nearest_word("dram", {}).empty());
  CHECK(nearest_word("dramm", media) == "dram");
  CHECK(nearest_word("darm", media) == "dram");
  CHECK(nearest_word("nmve", media) == "nvme");
  CHECK(nearest_word("appdirect", media) == "app-direct");
  CHECK(nearest_word("memory", media) == "memory-mode");
  CHECK(nearest_word("xy", media).empty());
  CHECK(nearest_word("optane", media).empty());
  CHECK(nearest_word(std::string(1000, 'd'), media).empty());
}

TEST_CASE("an error ends with the word that was meant") {
  CHECK(did_you_mean("--meduim", {"--medium", "--mode"}) == "; did you mean '--medium'?");
  CHECK(did_you_mean("--colour", {"--medium", "--mode"}).empty());
}

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

TEST_CASE("sizes of memory are binary, with what digits they need") {
  CHECK(memory_text(512) == "0.5 KiB");
  CHECK(memory_text(48 << 10) == "48 KiB");
  CHECK(memory_text(3 << 19) == "1.5 MiB");
  CHECK(memory_text(std::uint64_t{3} << 29) == "1.5 GiB");
}

TEST_CASE("brackets that close nothing are no depth") { CHECK(json_depth("]]][") == 1); }

}  // namespace
}  // namespace hdbench
