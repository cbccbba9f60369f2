#include "bench/model/repetition_rule.h"

#include "bench/base/bootstrap.h"

namespace hdbench::bench {

RepetitionRule RepetitionRule::of_reload(std::size_t loads) const {
  const auto share = [&](std::size_t count) { return (count + loads - 1) / loads; };
  return {share(least), share(most), precision};
}

bool RepetitionRule::wants_more(const CellResult& cell) const {
  const std::size_t done = cell.real_ms.size();
  if (cell.error || done >= most) return false;
  if (done < least) return true;
  if (precision <= 0) return false;
  const auto width = relative_half_width(cell.times());
  return !width || *width > precision;
}

RepetitionRule exactly(std::size_t count) { return {count, count, 0}; }

}  // namespace hdbench::bench
