#include <hwy/highway.h>

#include "engine/base/check.h"
#include "engine/kernel/split_sum.h"

HWY_BEFORE_NAMESPACE();
namespace hdbench::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Adds each row's parts to its group's. Copies of the sums take turns, so that neighbouring rows of
// one group do not wait for each other's addition.
template <std::size_t kCopies, bool kBothParts>
HWY_INLINE void add_rows_of(RowParts rows, const std::uint32_t* HWY_RESTRICT groups,
                            std::size_t count, double* HWY_RESTRICT sums) {
  const hn::CappedTag<double, 4> d;
  for (std::size_t i = 0; i < count; ++i) {
    double* const to = sums + 8 * (kCopies * groups[i] + i % kCopies);
    for (std::size_t p = 0; p < 4; p += hn::Lanes(d)) {
      hn::StoreU(hn::Add(hn::LoadU(d, to + p), hn::LoadU(d, rows.first + 4 * i + p)), d, to + p);
      if constexpr (kBothParts) {
        hn::StoreU(hn::Add(hn::LoadU(d, to + 4 + p), hn::LoadU(d, rows.second + 4 * i + p)), d,
                   to + 4 + p);
      }
    }
  }
}

}  // namespace

void AddRows(RowParts rows, const std::uint32_t* groups, std::size_t count, std::size_t copies,
             double* sums) {
  if (rows.second == nullptr) {
    copies == 1 ? add_rows_of<1, false>(rows, groups, count, sums)
                : add_rows_of<4, false>(rows, groups, count, sums);
  } else {
    copies == 1 ? add_rows_of<1, true>(rows, groups, count, sums)
                : add_rows_of<4, true>(rows, groups, count, sums);
  }
}

}  // namespace hdbench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hdbench {

HWY_EXPORT(AddRows);

void add_rows(RowParts rows, const std::uint32_t* groups, std::size_t count, std::size_t copies,
              double* sums) {
  HDB_DCHECK(copies == 1 || copies == 4, "one copy of the sums, or four");
  HWY_DYNAMIC_DISPATCH(AddRows)(rows, groups, count, copies, sums);
}

}  // namespace hdbench
#endif  // HWY_ONCE
