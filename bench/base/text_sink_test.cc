#include "bench/base/text_sink.h"

#include <vector>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("a sink that was given nothing writes nothing") {
  int writes = 0;
  TextSink sink([&](std::string_view) -> Result<bool> {
    ++writes;
    return true;
  });
  CHECK(sink.pass_on());
  CHECK(sink.finish().ok());
  CHECK(writes == 0);
}

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

}  // namespace
}  // namespace hdbench::bench
