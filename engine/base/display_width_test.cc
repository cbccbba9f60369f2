#include "engine/base/display_width.h"

#include "engine/base/catch.h"

namespace hdbench {

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

}  // namespace hdbench
