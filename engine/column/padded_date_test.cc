#include "engine/column/padded_date.h"

#include "engine/base/catch.h"

using namespace hdbench;

TEST_CASE("months and days of one digit get two, and nothing else is such a date") {
  CHECK(padded_date("2020.1.8") == "2020.01.08");
  CHECK(padded_date("2020.12.8") == "2020.12.08");
  CHECK(padded_date("2020.1") == "2020.01");
  for (const char* text : {"", ".", "2020", "2020.", "2020.01.08", "2020.01", "2020..8", "20.1.8",
                           "2020.1.8.1", "2020.1.108", "2020.a.8", "2020.1.8."}) {
    INFO(text);
    CHECK_FALSE(padded_date(text));
  }
}
