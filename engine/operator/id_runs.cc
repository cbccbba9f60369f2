#include "engine/operator/id_runs.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/base/check.h"
#include "engine/kernel/ids.h"

namespace hdbench {

bool IdRuns::split(const RowIds& rows) {
  constexpr std::size_t kSkips = 15;
  HDB_DCHECK(rows.rows <= kRowsMax, "at most kRowsMax rows at once");
  count_ = 0;
  if (skipped_ != 0) {
    --skipped_;
    return false;
  }
  const std::size_t words = words_for(rows.rows);
  if (rows.bits == nullptr) {
    set_bits(left_, rows.rows);
  } else {
    std::copy_n(rows.bits, words, left_);
  }
  for (std::size_t w = 0;;) {
    while (w < words && left_[w] == 0) ++w;
    if (w == words) return true;
    if (count_ == kRunsMax) break;
    Run& run = runs_[count_++];
    const std::size_t row = w * kWordRows + static_cast<std::size_t>(std::countr_zero(left_[w]));
    run.id = 0;
    std::memcpy(&run.id, rows.ids + row * rows.width, rows.width);  // little-endian
    run.count = take_equal({rows.width, rows.ids, words, run.id}, left_, run.bits);
  }
  skipped_ = kSkips;
  return false;
}

}  // namespace hdbench
