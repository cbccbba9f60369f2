#include "engine/shaping/window_joins.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "engine/operator/gather.h"
#include "engine/shaping/range_aggregates.h"
#include "engine/shaping/timed_groups.h"

namespace hdbench {
namespace {

// Places of the right rows in the order of their times.
RowRanges find_ranges(const PlanSource& source, const ResultTable& left, const TimedGroups& groups,
                      std::span<const Words> keys, QueryContext& context) {
  RowRanges ranges(left.rows, &context.memory);
  const Words lows =
      std::move(equality_words(left.columns[source.ends[0]], left.rows, context).front());
  const Words highs =
      std::move(equality_words(left.columns[source.ends[1]], left.rows, context).front());
  for_each_chunk(context.pool, left.rows, [&](std::size_t begin, std::size_t end) {
    std::uint32_t group = RowGroups::kNone;
    std::size_t low_hint = 0;
    std::size_t high_hint = 0;
    for (std::size_t row = begin; row < end; ++row) {
      if (row == begin || !are_equal(keys, row, keys, row - 1)) {
        group = groups.group_of(keys, row);
        low_hint = high_hint = 0;
      }
      if (group == RowGroups::kNone) continue;
      // Behind all rows before the first end.
      std::size_t first = lows[row] == kNullLong
                              ? groups.begin_of(group)
                              : groups.place_behind(group, lows[row] - 1, low_hint);
      const std::size_t last = groups.place_behind(group, highs[row], high_hint);
      const bool is_at_end = first < last && groups.time_at(first) == lows[row];
      if (source.takes_prevailing && !is_at_end && first != groups.begin_of(group)) --first;
      ranges[row] = {static_cast<std::uint32_t>(first),
                     static_cast<std::uint32_t>(std::max(first, last))};
    }
  });
  return ranges;
}

// A column's elements in the order of the places.
ResultColumn in_order(const ResultColumn& column, const TimedGroups& groups, std::uint64_t rows,
                      QueryContext& context) {
  ResultColumn ordered{column.name, column.type, column.width, {}, column.domain};
  ordered.buffer = Buffer(context.memory, rows * column.width);
  for_each_chunk(context.pool, rows, [&](std::size_t begin, std::size_t end) {
    at_width(column.width, [&](auto width) {
      for (std::size_t place = begin; place < end; ++place)
        std::memcpy(ordered.buffer.data() + place * width,
                    column.buffer.data() + std::size_t{groups.row_at(place)} * width, width);
    });
  });
  context.accesses.pass_column(column.buffer);
  return ordered;
}

}  // namespace

ResultTable join_between(const PlanSource& source, ResultTable left, const ResultTable& right,
                         QueryContext& context) {
  const std::vector<Words> keys =
      key_words(left, source.left_keys, right, source.right_keys, context);
  const std::vector<Words> right_words =
      key_words(right, source.right_keys, right, source.right_keys, context);
  const Words& times = right_words.back();
  const std::span<const Words> own_keys = std::span<const Words>(keys).first(keys.size() - 1);
  const std::span<const Words> right_keys =
      std::span<const Words>(right_words).first(right_words.size() - 1);
  const TimedGroups groups(right_keys, times, context);
  const RowRanges ranges = right.rows == 0 ? RowRanges(left.rows, &context.memory)
                                           : find_ranges(source, left, groups, own_keys, context);
  ResultTable joined;
  joined.rows = left.rows;
  joined.keep_alive = left.keep_alive;
  joined.keep_alive.insert(joined.keep_alive.end(), right.keep_alive.begin(),
                           right.keep_alive.end());
  for (const SourceColumn& column : source.columns) {
    if (column.is_right) {
      const Output& output = source.aggregates[column.column];
      const ResultColumn values =
          in_order(right.columns[*output.field], groups, right.rows, context);
      ResultColumn weights;
      if (output.weights)
        weights = in_order(right.columns[*output.weights], groups, right.rows, context);
      joined.columns.push_back(aggregate_ranges(column.name, output.aggregate, values,
                                                output.weights ? &weights : nullptr, ranges,
                                                context));
    } else {
      joined.columns.push_back(std::move(left.columns[column.column]));
      joined.columns.back().name = column.name;
    }
  }
  return joined;
}

}  // namespace hdbench
