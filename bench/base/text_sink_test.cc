#include "bench/base/text_sink.h"

#include <vector>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("text is written in pieces and nothing is lost") {
  std::vector<std::size_t> pieces;
  std::string all;
  TextSink sink(
      [&](std::string_view piece) -> Result<bool> {
        pieces.push_back(piece.size());
        all += piece;
        return true;
      },
      8);
  for (int i = 0; i < 5; ++i) {
    sink.text() += "abc\n";
    CHECK(sink.pass_on());
  }
  CHECK(sink.finish().ok());
  CHECK(pieces == std::vector<std::size_t>{8, 8, 4});
  CHECK(all == "abc\nabc\nabc\nabc\nabc\n");
}

TEST_CASE("a reader that has gone ends printing without an error") {
  int writes = 0;
  TextSink sink(
      [&](std::string_view) -> Result<bool> {
        ++writes;
        return false;
      },
      1);
  sink.text() += "abc";
  CHECK_FALSE(sink.pass_on());
  sink.text() += "def";
  CHECK_FALSE(sink.pass_on());
  CHECK(sink.finish().ok());
  CHECK(writes == 1);
}

TEST_CASE("a write that fails is an error at the end") {
  TextSink sink([](std::string_view) -> Result<bool> { return data_error("disk full"); }, 1);
  sink.text() += "abc";
  CHECK_FALSE(sink.pass_on());
  CHECK(sink.finish().error().message == "disk full");
}

TEST_CASE("what is no terminal has the usual width and no colours") {
  const TextLook look = look_of({false, 80, nullptr, "xterm"}, 100);
  CHECK(look.columns == 100);
  CHECK_FALSE(look.has_colours);
  CHECK(look.tinted("a\nb", Tint::kAlarm) == "a\nb");
}

TEST_CASE("a terminal's width is its own within bounds, or the usual one") {
  CHECK(look_of({true, 80, nullptr, "xterm"}, 100).columns == 80);
  CHECK(look_of({true, 20, nullptr, "xterm"}, 100).columns == 60);
  CHECK(look_of({true, 900, nullptr, "xterm"}, 100).columns == 200);
  CHECK(look_of({true, 0, nullptr, "xterm"}, 100).columns == 100);
}

TEST_CASE("colours go with NO_COLOR and on a dumb terminal; an empty NO_COLOR says nothing") {
  CHECK(look_of({true, 80, nullptr, "xterm"}, 100).has_colours);
  CHECK(look_of({true, 80, "", "xterm"}, 100).has_colours);
  CHECK_FALSE(look_of({true, 80, "1", "xterm"}, 100).has_colours);
  CHECK_FALSE(look_of({true, 80, nullptr, "dumb"}, 100).has_colours);
  CHECK_FALSE(look_of({true, 80, nullptr, nullptr}, 100).has_colours);
}

TEST_CASE("a tint begins and ends in each line") {
  const TextLook look{80, true};
  CHECK(look.tinted("", Tint::kAlarm).empty());
  CHECK(look.tinted("a\n\nb\n", Tint::kAlarm) == "\x1b[1;31ma\x1b[0m\n\n\x1b[1;31mb\x1b[0m\n");
}

}  // namespace

}  // namespace hdbench::bench
