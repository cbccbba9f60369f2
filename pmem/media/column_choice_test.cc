#include "pmem/media/column_choice.h"

#include "engine/base/catch.h"

namespace hdbench::pmem {
namespace {

std::string refused(std::string_view text) {
  const auto choice = parse_column_choice(text);
  return choice.ok() ? "" : choice.error().message;
}

TEST_CASE("a choice of columns that names none, or no count, is refused") {
  CHECK(refused("") == "'': a column without a name");
  CHECK(refused("quote.") == "'quote.': a column without a name");
  CHECK(refused(".bid") == "'.bid': a table without a name");
  for (const auto* text : {"bid@", "bid@20", "bid@last", "bid@last0", "bid@last2x", "bid@last-1"}) {
    CHECK(refused(text) == fmt::format("'{}': after @ comes lastN, such as @last20", text));
  }
}

TEST_CASE("a choice is written as it was read") {
  for (const auto* text : {"bid", "quote.bid", "bid@last20", "quote.bid@last1"}) {
    const auto choice = parse_column_choice(text);
    REQUIRE(choice.ok());
    CHECK(to_text(*choice) == text);
  }
  CHECK(parse_column_choice("bid")->is_name_alone());
  CHECK_FALSE(parse_column_choice("quote.bid")->is_name_alone());
}

TEST_CASE("the closest choice of a file counts") {
  const std::set<std::string> newest{"2020.01.31"};
  const auto close = [&](std::string_view text, const char* file) {
    return closeness(*parse_column_choice(text), newest, file);
  };
  CHECK(close("bid", "/db/2020.01.31/quote/ask") == 0);
  CHECK(close("bid", "/db/2020.01.31/quote/bid") == 1);
  CHECK(close("bid", "/db/2020.01.31/quote/bid##") == 1);
  CHECK(close("trade.bid", "/db/2020.01.31/quote/bid") == 0);
  CHECK(close("quote.bid", "/db/2020.01.31/quote/bid") == 2);
  CHECK(close("bid@last1", "/db/2020.01.30/quote/bid") == 0);
  CHECK(close("bid@last1", "/db/2020.01.31/quote/bid") == 3);
  CHECK(close("quote.bid@last1", "/db/2020.01.31/quote/bid") == 4);
  // A table that is built here has columns without a directory.
  CHECK(close("bid", "bid") == 1);
}

}  // namespace
}  // namespace hdbench::pmem
