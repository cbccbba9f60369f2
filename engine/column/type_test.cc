#include "engine/column/type.h"

#include "engine/base/catch.h"

namespace hdbench {
namespace {

TEST_CASE("every number from -128 to 127 is a plain type or not, as kdb+ numbers them") {
  int plain = 0;
  for (int number = -128; number < 128; ++number) plain += is_plain_type(number) ? 1 : 0;
  CHECK(plain == 17);
  for (int number : {0, 3, 11, 20, 77, -7}) CHECK_FALSE(is_plain_type(number));
  for (int number : {1, 2, 4, 10, 12, 19}) CHECK(is_plain_type(number));
}

TEST_CASE("every type has its own name, letter and a width") {
  std::string letters;
  for (int number = 0; number <= 20; ++number) {
    if (number != 0 && number != 20 && !is_plain_type(number)) continue;
    const auto type = static_cast<QType>(number);
    CHECK(type_name(type) != "unknown");
    CHECK(letters.find(type_letter(type)) == std::string::npos);
    letters += type_letter(type);
    CHECK(type_width(type) >= 1);
  }
  CHECK(letters == " bgxhijefcpmdznuvts");
}

}  // namespace
}  // namespace hdbench
