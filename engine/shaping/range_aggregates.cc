#include "engine/shaping/range_aggregates.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "engine/operator/aggregator.h"
#include "engine/operator/gather.h"
#include "engine/shaping/row_keys.h"

namespace hdbench {
namespace {

// Ranges that one aggregator has.
constexpr std::size_t kRangesAtOnce = 4096;

// Counts, first and last rows.
void take_end(Aggregate aggregate, const ResultColumn& values, RowRangeOf range,
              const Element& null, std::uint32_t width, std::byte* to) {
  if (aggregate == Aggregate::kCount) {
    const std::int64_t count = range.end - range.begin;
    std::memcpy(to, &count, sizeof(count));
  } else if (range.begin == range.end) {
    std::memcpy(to, null.data(), width);
  } else {
    const std::size_t row =
        aggregate == Aggregate::kFirst ? range.begin : std::size_t{range.end} - 1;
    std::memset(to, 0, width);
    std::memcpy(to, values.buffer.data() + row * values.width, values.width);
  }
}

void fold_ranges(Aggregate aggregate, const ResultColumn& values, const ResultColumn* weights,
                 std::span<const RowRangeOf> ranges, std::uint32_t width, std::byte* to,
                 std::pmr::memory_resource& memory) {
  const auto aggregator = make_aggregator(
      aggregate, values.type, weights != nullptr ? weights->type : QType::kLong, memory);
  aggregator->resize(ranges.size());
  std::pmr::vector<std::uint64_t> row_counts(ranges.size(), &memory);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    row_counts[i] = ranges[i].end - ranges[i].begin;
    for (std::size_t row = ranges[i].begin; row < ranges[i].end; row += kRunRowsMax) {
      const std::size_t rows = std::min<std::size_t>(kRunRowsMax, ranges[i].end - row);
      aggregator->update_run(
          {static_cast<std::uint32_t>(i), rows, nullptr, values.buffer.data() + row * values.width,
           weights != nullptr ? weights->buffer.data() + row * weights->width : nullptr});
    }
  }
  std::pmr::vector<std::uint32_t> order(ranges.size(), &memory);
  std::iota(order.begin(), order.end(), 0U);
  finish_groups(*aggregator, order, row_counts, width, to, nullptr);
}

}  // namespace

ResultColumn aggregate_ranges(const std::string& name, Aggregate aggregate,
                              const ResultColumn& values, const ResultColumn* weights,
                              const RowRanges& ranges, QueryContext& context) {
  ResultColumn made{name, aggregate_type(aggregate, values.type), 0, {}, nullptr};
  made.width = type_width(made.type);
  if (made.type == QType::kSymbol) made.domain = values.domain;
  made.buffer = Buffer(context.memory, ranges.size() * made.width);
  const Element null = null_element(values.type, values.domain.get());
  for_each_chunk(
      context.pool, ranges.size(),
      [&](std::size_t begin, std::size_t end) {
        context.stop_if_asked();
        std::byte* const to = made.buffer.data() + begin * made.width;
        const std::span<const RowRangeOf> some = std::span(ranges).subspan(begin, end - begin);
        if (takes_values(aggregate))
          return fold_ranges(aggregate, values, weights, some, made.width, to, context.memory);
        for (std::size_t i = 0; i < some.size(); ++i)
          take_end(aggregate, values, some[i], null, made.width, to + i * made.width);
      },
      kRangesAtOnce);
  context.accesses.write(made.buffer.data(), made.buffer.bytes());
  return made;
}

}  // namespace hdbench
