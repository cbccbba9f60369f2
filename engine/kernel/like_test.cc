#include "engine/kernel/like.h"

#include <random>
#include <string>

#include "engine/base/catch.h"

namespace hdbench {
namespace {

// The definition, by recursion: slow, but plainly what the words say. Only for ? * and letters.
bool like_by_definition(std::string_view text, std::string_view pattern) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    for (std::size_t taken = 0; taken <= text.size(); ++taken) {
      if (like_by_definition(text.substr(taken), pattern.substr(1))) return true;
    }
    return false;
  }
  if (text.empty()) return false;
  if (pattern[0] != '?' && pattern[0] != text[0]) return false;
  return like_by_definition(text.substr(1), pattern.substr(1));
}

}  // namespace

TEST_CASE("an empty pattern matches only the empty text") {
  CHECK(like("", ""));
  CHECK_FALSE(like("a", ""));
  CHECK_FALSE(like("", "a"));
  CHECK_FALSE(like("", "?"));
  CHECK(like("", "*"));
  CHECK(like("", "***"));
}

TEST_CASE("a pattern without wildcards is the text itself") {
  CHECK(like("AAPL", "AAPL"));
  CHECK_FALSE(like("AAPL", "AAP"));
  CHECK_FALSE(like("AAP", "AAPL"));
  CHECK_FALSE(like("aapl", "AAPL"));
}

TEST_CASE("a question mark is exactly one character") {
  CHECK(like("val1", "val?"));
  CHECK_FALSE(like("val", "val?"));
  CHECK_FALSE(like("val12", "val?"));
}

TEST_CASE("a star is any run and may stand several times") {
  CHECK(like("quick brown fox", "qu*bro*x"));
  CHECK(like("abc", "*"));
  CHECK(like("abc", "a*c"));
  CHECK(like("ac", "a*c"));
  CHECK_FALSE(like("abcd", "a*c"));
  CHECK(like("mississippi", "*iss*ip*"));
  CHECK(like("aab", "*ab"));
}

TEST_CASE("a class is one of its letters, a range, or anything else when inverted") {
  CHECK(like("brown", "[wxyz]*") == false);
  CHECK(like("brown", "br[op]wn"));
  CHECK(like("brown", "br[^op]wn") == false);
  CHECK(like("brwwn", "br[^op]wn"));
  CHECK(like("a7", "[a-f][0-9]"));
  CHECK_FALSE(like("g7", "[a-f][0-9]"));
  CHECK(like("g7", "[^a-f][0-9]"));
  CHECK(like("-", "[a-]"));
  CHECK(like("a-b*c", "*[-]*[*]c"));
  CHECK(like("]", "]"));
  CHECK(like("^", "[a^]"));
}

TEST_CASE("a bracket that comes first in a class is itself") {
  CHECK(like("br]wn", "[bf]r[]]wn"));
  CHECK_FALSE(like("brown", "[bf]r[]]wn"));
  CHECK(like("brown", "[bf]r[^]]wn"));
  CHECK_FALSE(like("br]wn", "[bf]r[^]]wn"));
  CHECK(like("a[c", "a[[]c"));
  CHECK(like("a", "[]a]"));
}

TEST_CASE("an empty class is never closed") {
  CHECK_FALSE(is_like_pattern("[]"));
  CHECK_FALSE(is_like_pattern("[^]"));
  CHECK_FALSE(like("a", "[]"));
  CHECK_FALSE(like("a", "[^]"));
}

TEST_CASE("several stars with classes work, where kdb+ says nyi") {
  CHECK(like("xx12yy34zz", "*[0-9]?y*[^a-z]z*"));
}

TEST_CASE("a class that is never closed is no pattern and matches nothing") {
  CHECK_FALSE(is_like_pattern("a[bc"));
  CHECK_FALSE(is_like_pattern("[a]["));
  CHECK(is_like_pattern("[a]b]"));
  CHECK(is_like_pattern(""));
  CHECK_FALSE(like("ab", "a[bc"));
}

TEST_CASE("bytes above 127 are characters like any other") {
  CHECK(like("\xff", "[\x80-\xff]"));
  CHECK_FALSE(like("a", "[\x80-\xff]"));
}

TEST_CASE("many stars over a long text take no exponential time") {
  const std::string text(20000, 'a');
  std::string pattern;
  for (int i = 0; i < 50; ++i) pattern += "*a";
  CHECK(like(text, pattern));
  CHECK_FALSE(like(text, pattern + "b"));
}

TEST_CASE("like agrees with its definition on random texts") {
  std::mt19937 random(7);
  const auto pick = [&](std::string_view letters) { return letters[random() % letters.size()]; };
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    std::string pattern;
    for (std::size_t n = random() % 9; n > 0; --n) text += pick("ab");
    for (std::size_t n = random() % 7; n > 0; --n) pattern += pick("ab?*");
    INFO(text << " like " << pattern);
    REQUIRE(like(text, pattern) == like_by_definition(text, pattern));
  }
}

}  // namespace hdbench
