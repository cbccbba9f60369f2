#include "engine/kernel/fetch_habit.h"

namespace hdbench {
namespace {

const FetchHabit& of_this_machine() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_is("amd")) return kZenFetch;
#endif
  return kIntelFetch;
}

const FetchHabit*& chosen() {
  static const FetchHabit* one = &of_this_machine();
  return one;
}

}  // namespace

const FetchHabit& fetch_habit() { return *chosen(); }

void testing::set_fetch_habit(const FetchHabit* habit) {
  chosen() = habit == nullptr ? &of_this_machine() : habit;
}

}  // namespace hdbench
