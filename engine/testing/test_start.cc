// What every program of tests does before main.
#include "engine/base/thread_pool.h"

namespace {

// Tests run beside each other: not all pools on the same CPU.
[[maybe_unused]] const bool is_first_cpu_taken = [] {
  hdbench::take_this_cpu_first();
  return true;
}();

}  // namespace
