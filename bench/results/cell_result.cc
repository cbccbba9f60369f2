#include "bench/results/cell_result.h"

#include <fmt/format.h>

#include "bench/base/statistics.h"

namespace hdbench {

std::string CellResult::name() const {
  if (!peer) return query_label(query) + "/" + setting_name(setting);
  return fmt::format("{}/engine:{}/medium:{}/layout:{}/threads:{}", query_label(query),
                     peer->engine, setting.medium, word(setting.layout), setting.threads);
}

std::optional<double> median_ms(const CellResult& cell) {
  if (!cell.rows_out || cell.real_ms.empty()) return std::nullopt;
  return median(cell.real_ms);
}

}  // namespace hdbench
