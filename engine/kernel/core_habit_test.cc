#include "engine/kernel/core_habit.h"

#include "engine/base/catch.h"

namespace hdbench {
namespace {

TEST_CASE("elements of 1 and 2 bytes have distances of their own") {
  for (const std::size_t width : {1, 2}) CHECK(kZenCore.scan_of(width).second_level == 16384);
  for (const std::size_t width : {4, 8}) CHECK(kZenCore.scan_of(width).second_level == 0);
}

TEST_CASE("a machine has one habit of the three, and a test's goes when it ends") {
  const CoreHabit* const own = &core_habit();
  CHECK((own == &kIntelCore || own == &kZenCore || own == &kZen5Core));
  const CoreHabit other{"a test's", {64, 64}, {128, 0}, 64, false, 0, false};
  testing::set_core_habit(&other);
  CHECK(&core_habit() == &other);
  testing::set_core_habit(nullptr);
  CHECK(&core_habit() == own);
}

}  // namespace
}  // namespace hdbench
