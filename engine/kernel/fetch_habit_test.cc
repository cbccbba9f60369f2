#include "engine/kernel/fetch_habit.h"

#include "engine/base/catch.h"

namespace hdbench {
namespace {

TEST_CASE("a machine has one habit of the two, and a test's goes when it ends") {
  const FetchHabit* const own = &fetch_habit();
  CHECK((own == &kFetchesAhead || own == &kLeavesToCore));
  const FetchHabit other{64, 64, 64};
  testing::set_fetch_habit(&other);
  CHECK(&fetch_habit() == &other);
  testing::set_fetch_habit(nullptr);
  CHECK(&fetch_habit() == own);
}

}  // namespace
}  // namespace hdbench
