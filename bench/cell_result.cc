#include "bench/cell_result.h"

#include "bench/statistics.h"

namespace hdbench {

std::optional<double> median_ms(const CellResult& cell) {
  if (!cell.rows_out || cell.real_ms.empty()) return std::nullopt;
  return median(cell.real_ms);
}

}  // namespace hdbench
