// The kernels that make sums and extremes of values, read together once a target: as
// row_kernels.cc.
// Each source below has its own test.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernel/value_kernels.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.h, as Highway asks.
#include <hwy/highway.h>

// NOLINTBEGIN(bugprone-suspicious-include): sources that are compiled nowhere else.
#include "engine/kernel/add_rows.cc"
#include "engine/kernel/bucket.cc"
#include "engine/kernel/reduce.cc"
#include "engine/kernel/split_sum.cc"
// NOLINTEND(bugprone-suspicious-include)
