#include "engine/base/byte_stream.h"

#include "engine/base/catch.h"

namespace hdbench {
namespace {

TEST_CASE("numbers, lists and texts come back in their order") {
  ByteSink out;
  out.put(std::int16_t{-3});
  out.put_all(std::vector<double>{1.5, 2.5});
  out.put_text("sym");
  ByteSource in(out.bytes());
  CHECK(in.take<std::int16_t>() == -3);
  CHECK(in.take_all<double>() == std::vector<double>{1.5, 2.5});
  CHECK_FALSE(in.is_done());
  CHECK(in.take_text() == "sym");
  CHECK(in.is_done());
}

TEST_CASE("beyond the end there is nothing, and that is said") {
  ByteSink out;
  out.put(std::uint64_t{1} << 60);
  ByteSource list(out.bytes());
  CHECK(list.take_all<double>().empty());
  CHECK(list.has_failed());
  CHECK(list.take<int>() == 0);
  ByteSource text(out.bytes());
  CHECK(text.take_text().empty());
  CHECK(text.has_failed());
  CHECK_FALSE(text.is_done());
}

}  // namespace
}  // namespace hdbench
