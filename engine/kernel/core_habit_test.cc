#include "engine/kernel/core_habit.h"

#include <algorithm>
#include <iterator>

#include "engine/base/catch.h"

namespace hdbench {
namespace {

TEST_CASE("elements of 1 and 2 bytes have distances of their own") {
  for (const std::size_t width : {1, 2}) CHECK(kZenCore.scan_of(width).second_level == 16384);
  for (const std::size_t width : {4, 8}) CHECK(kZenCore.scan_of(width).second_level == 0);
}

TEST_CASE("a machine has one of the habits, and a test's goes when it ends") {
  const CoreHabit* const own = &core_habit();
  CHECK(std::find(std::begin(kCoreHabits), std::end(kCoreHabits), own) != std::end(kCoreHabits));
  const CoreHabit other{"a test's", {64, 64}, {128, 0}, 64, false, 0, false, false};
  testing::set_core_habit(&other);
  CHECK(&core_habit() == &other);
  testing::set_core_habit(nullptr);
  CHECK(&core_habit() == own);
}

}  // namespace
}  // namespace hdbench
