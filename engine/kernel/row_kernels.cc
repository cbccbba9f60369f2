// The kernels on rows, columns and selections, read together once a target: Highway's headers are
// most of what each would cost to compile by itself.
// Each source below has its own test.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernel/row_kernels.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// After foreach_target.h, as Highway asks.
#include <hwy/highway.h>

// NOLINTBEGIN(bugprone-suspicious-include): sources that are compiled nowhere else.
#include "engine/kernel/ids.cc"
#include "engine/kernel/last_rows.cc"
#include "engine/kernel/scan.cc"
#include "engine/kernel/selection.cc"
#include "engine/kernel/stream.cc"
#include "engine/kernel/take.cc"
// NOLINTEND(bugprone-suspicious-include)
