#include "datagen/day_order.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "datagen/column_values.h"
#include "engine/base/check.h"

namespace hdbench::datagen {
namespace {

constexpr std::size_t kRowsAtATime = 1 << 14;

// Calls visit(row, code) for every row in time order.
template <class Visit>
void for_each_code(const ColumnPlan& column, std::uint64_t seed, const DayCount& day, Visit visit) {
  std::vector<std::int64_t> codes(kRowsAtATime);
  for (std::uint64_t first = 0; first < day.rows(); first += kRowsAtATime) {
    const std::size_t count = std::min<std::uint64_t>(kRowsAtATime, day.rows() - first);
    fill_column(column, seed, day, {.first = first, .count = count},
                std::as_writable_bytes(std::span(codes)));
    for (std::size_t i = 0; i < count; ++i) visit(first + i, static_cast<std::size_t>(codes[i]));
  }
}

}  // namespace

DayOrder order_by_symbol(const ColumnPlan& column, std::uint64_t seed, const DayCount& day,
                         std::span<const std::string> symbols) {
  HDB_CHECK(day.rows() <= std::numeric_limits<std::uint32_t>::max(), "rows numbered in 32 bits");
  std::vector<std::uint64_t> count(symbols.size());
  for_each_code(column, seed, day, [&](std::uint64_t, std::size_t code) { ++count[code]; });

  std::vector<std::size_t> by_text(symbols.size());
  std::iota(by_text.begin(), by_text.end(), std::size_t{0});
  std::sort(by_text.begin(), by_text.end(),
            [&](std::size_t a, std::size_t b) { return symbols[a] < symbols[b]; });

  DayOrder order;
  std::vector<std::uint64_t> next(symbols.size());
  std::uint64_t place = 0;
  for (const std::size_t code : by_text) {
    if (count[code] == 0) continue;
    next[code] = place;
    order.index.keys.push_back(static_cast<std::int64_t>(code));
    order.index.offsets.push_back(static_cast<std::int64_t>(place));
    place += count[code];
  }
  order.index.offsets.push_back(static_cast<std::int64_t>(place));

  order.rows.resize(day.rows());
  for_each_code(column, seed, day, [&](std::uint64_t row, std::size_t code) {
    order.rows[next[code]++] = static_cast<std::uint32_t>(row);
  });
  return order;
}

}  // namespace hdbench::datagen
