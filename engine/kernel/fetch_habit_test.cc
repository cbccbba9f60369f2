#include "engine/kernel/fetch_habit.h"

#include "engine/base/catch.h"

namespace hdbench {
namespace {

TEST_CASE("elements of 1 and 2 bytes have distances of their own") {
  for (const std::size_t width : {1, 2}) CHECK(kZenFetch.scan_of(width).second_level == 16384);
  for (const std::size_t width : {4, 8}) CHECK(kZenFetch.scan_of(width).second_level == 0);
}

TEST_CASE("a machine has one habit of the three, and a test's goes when it ends") {
  const FetchHabit* const own = &fetch_habit();
  CHECK((own == &kIntelFetch || own == &kZenFetch || own == &kZen5Fetch));
  const FetchHabit other{{64, 64}, {128, 0}, 64, false};
  testing::set_fetch_habit(&other);
  CHECK(&fetch_habit() == &other);
  testing::set_fetch_habit(nullptr);
  CHECK(&fetch_habit() == own);
}

}  // namespace
}  // namespace hdbench
