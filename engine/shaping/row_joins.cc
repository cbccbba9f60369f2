#include "engine/shaping/row_joins.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/operator/gather.h"
#include "engine/shaping/row_keys.h"
#include "engine/shaping/row_order.h"

namespace hdbench {
namespace {

// Codes as those of another domain; symbols that it lacks get words that no code has.
void translate(Words& codes, const Domain& from, const Domain& to) {
  std::unordered_map<std::string_view, std::int64_t> by_text;
  for (std::size_t code = 0; code < to.size(); ++code)
    by_text.emplace(to.text(code), static_cast<std::int64_t>(code));
  std::vector<std::int64_t> translated(from.size());
  for (std::size_t code = 0; code < translated.size(); ++code) {
    const auto found = by_text.find(from.text(code));
    translated[code] =
        found != by_text.end() ? found->second : -1 - static_cast<std::int64_t>(code);
  }
  for (std::int64_t& code : codes) code = translated[static_cast<std::size_t>(code)];
}

// The words of the keys, of which symbols are codes of the right side's domains.
std::vector<Words> key_words(const ResultTable& table, std::span<const std::size_t> keys,
                             const ResultTable& right, std::span<const std::size_t> right_keys,
                             const QueryContext& context) {
  std::vector<Words> all;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const ResultColumn& column = table.columns[keys[k]];
    const ResultColumn& other = right.columns[right_keys[k]];
    std::vector<Words> words = equality_words(column, table.rows, context);
    if (column.type == QType::kSymbol && column.domain != other.domain && table.rows != 0)
      translate(words.front(), *column.domain, *other.domain);
    for (Words& made : words) all.push_back(std::move(made));
  }
  return all;
}

// Right rows by key and time: those of a group lie together, in the order of their times.
class TimedGroups {
 public:
  TimedGroups(std::span<const Words> keys, const Words& times, QueryContext& context)
      : times_(times), order_(&context.memory), ends_(&context.memory) {
    const std::size_t rows = times.size();
    if (!keys.empty()) {
      groups_.emplace(keys, context);
      RowSegments segments = make_segments(*groups_, context);
      order_ = std::move(segments.order);
      ends_ = std::move(segments.ends);
    } else {
      ends_.push_back(rows);
    }
    sort_groups(context);
  }

  std::uint32_t group_of(std::span<const Words> keys, std::size_t row) const {
    return groups_ ? groups_->find(keys, row) : 0;
  }

  // The group's last row whose time is at most this one. `hint`: where it was found last, or 0.
  std::uint32_t last_at(std::uint32_t group, std::int64_t time, std::size_t& hint) const {
    const std::size_t begin = begin_of(group);
    const auto end = static_cast<std::size_t>(ends_[group]);
    std::size_t low = begin;
    std::size_t high = end;
    // Left rows mostly come in the order of time: the place is a little further on.
    if (hint > begin && hint <= end && time_at(hint - 1) <= time) {
      low = hint;
      std::size_t step = 1;
      while (low + step < end && time_at(low + step) <= time) {
        low += step + 1;
        step *= 2;
      }
      high = std::min(end, low + step);
      low = std::min(low, end);
    }
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (time_at(middle) <= time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    hint = low;
    return low == begin ? kNoMatch : row_at(low - 1);
  }

 private:
  std::uint32_t row_at(std::size_t place) const {
    return order_.empty() ? static_cast<std::uint32_t>(place) : order_[place];
  }
  std::int64_t time_at(std::size_t place) const { return times_[row_at(place)]; }

  std::size_t begin_of(std::size_t group) const {
    return group == 0 ? 0 : static_cast<std::size_t>(ends_[group - 1]);
  }

  // Where a group's rows are not in the order of their times, they are put in it.
  void sort_groups(const QueryContext& context) {
    constexpr std::size_t kGroupsAtOnce = 64;
    std::pmr::vector<std::uint8_t> is_mixed(ends_.size(), 0, &context.memory);
    const auto for_groups = [&](const auto& work) {
      for_each_chunk(
          context.pool, ends_.size(),
          [&](std::size_t first, std::size_t last) {
            for (std::size_t group = first; group < last; ++group)
              work(group, begin_of(group), static_cast<std::size_t>(ends_[group]));
          },
          kGroupsAtOnce);
    };
    for_groups([&](std::size_t group, std::size_t begin, std::size_t end) {
      bool is_sorted = true;
      for (std::size_t place = begin + 1; place < end && is_sorted; ++place)
        is_sorted = time_at(place - 1) <= time_at(place);
      is_mixed[group] = is_sorted ? 0 : 1;
    });
    if (std::find(is_mixed.begin(), is_mixed.end(), 1) == is_mixed.end()) return;
    if (order_.empty()) {
      order_ = std::pmr::vector<std::uint32_t>(times_.size(), &context.memory);
      std::iota(order_.begin(), order_.end(), 0U);
    }
    for_groups([&](std::size_t group, std::size_t begin, std::size_t end) {
      if (is_mixed[group] == 0) return;
      std::sort(order_.begin() + static_cast<std::ptrdiff_t>(begin),
                order_.begin() + static_cast<std::ptrdiff_t>(end),
                [&](std::uint32_t a, std::uint32_t b) {
                  return times_[a] != times_[b] ? times_[a] < times_[b] : a < b;
                });
    });
  }

  const Words& times_;
  std::optional<RowGroups> groups_;
  std::pmr::vector<std::uint32_t> order_;  // empty: rows as they are
  std::pmr::vector<std::uint64_t> ends_;
};

Matches match_as_of(const std::vector<Words>& left, std::size_t left_rows,
                    const std::vector<Words>& right, QueryContext& context) {
  const TimedGroups groups(std::span<const Words>(right).first(right.size() - 1), right.back(),
                           context);
  const std::span<const Words> left_keys = std::span<const Words>(left).first(left.size() - 1);
  Matches matches(left_rows, kNoMatch, &context.memory);
  for_each_chunk(context.pool, left_rows, [&](std::size_t begin, std::size_t end) {
    std::uint32_t group = RowGroups::kNone;
    std::size_t hint = 0;
    for (std::size_t row = begin; row < end; ++row) {
      if (row == begin || !are_equal(left_keys, row, left_keys, row - 1)) {
        group = groups.group_of(left_keys, row);
        hint = 0;
      }
      if (group == RowGroups::kNone) continue;
      matches[row] = groups.last_at(group, left.back()[row], hint);
    }
  });
  return matches;
}

void gather(std::uint32_t width, const std::byte* from, std::span<const std::uint32_t> rows,
            const std::byte* null, std::byte* to) {
  at_width(width, [&](auto bytes) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::byte* const element = rows[i] == kNoMatch ? null : from + rows[i] * bytes;
      std::memcpy(to + i * bytes, element, bytes);
    }
  });
}

class Joiner {
 public:
  Joiner(ResultTable left, const ResultTable& right, Matches matches, QueryContext& context)
      : left_(std::move(left)),
        right_(right),
        matches_(std::move(matches)),
        context_(context),
        accesses_(context.accesses) {}

  ResultTable run(const PlanSource& source) {
    if (source.kind == SourceKind::kInner) keep_matched();
    ResultTable table;
    table.rows = left_.rows;
    table.keep_alive = left_.keep_alive;
    table.keep_alive.insert(table.keep_alive.end(), right_.keep_alive.begin(),
                            right_.keep_alive.end());
    for (const SourceColumn& column : source.columns) {
      if (column.is_right) table.columns.push_back(right_column(column));
    }
    std::size_t right_place = 0;
    std::vector<ResultColumn> in_order;
    for (const SourceColumn& column : source.columns) {
      if (column.is_right) {
        in_order.push_back(std::move(table.columns[right_place++]));
      } else {
        in_order.push_back(std::move(left_.columns[column.column]));
        in_order.back().name = column.name;
      }
    }
    table.columns = std::move(in_order);
    return table;
  }

 private:
  void keep_matched() {
    RowNumbers kept(&context_.memory);
    for (std::size_t row = 0; row < matches_.size(); ++row) {
      if (matches_[row] != kNoMatch) kept.push_back(row);
    }
    std::erase(matches_, kNoMatch);
    if (kept.size() != left_.rows) left_ = take_rows(std::move(left_), kept, context_);
  }

  // Symbols get codes of 8 bytes, which a null's fits.
  Buffer widened(const ResultColumn& column, std::uint64_t rows) {
    Buffer codes(context_.memory, rows * sizeof(std::uint64_t));
    const Words words = std::move(equality_words(column, rows, context_).front());
    if (rows != 0) std::memcpy(codes.data(), words.data(), codes.bytes());
    return codes;
  }

  ResultColumn right_column(const SourceColumn& shown) {
    const ResultColumn& from = right_.columns[shown.column];
    const Element null = null_element(from.type, from.domain.get());
    ResultColumn column{shown.name, from.type, type_width(from.type), {}, from.domain};
    column.buffer = Buffer(context_.memory, left_.rows * column.width);
    Buffer codes;
    if (from.width != column.width) codes = widened(from, right_.rows);
    const std::byte* const elements =
        from.width != column.width ? codes.data() : from.buffer.data();
    for_each_chunk(context_.pool, left_.rows, [&](std::size_t begin, std::size_t end) {
      gather(column.width, elements, std::span(matches_).subspan(begin, end - begin), null.data(),
             column.buffer.data() + begin * column.width);
    });
    for (const std::uint32_t row : matches_) {
      if (!accesses_.meters_working_memory()) break;
      if (row == kNoMatch) continue;
      accesses_.pass(from.buffer.data() + std::size_t{row} * from.width, from.width,
                     AccessKind::kRead);
    }
    if (shown.otherwise) keep_unmatched(left_.columns[*shown.otherwise], column);
    accesses_.write(column.buffer.data(), column.buffer.bytes());
    return column;
  }

  // Rows without a match keep what the left side has. Requires: one type, and one domain.
  void keep_unmatched(const ResultColumn& left, ResultColumn& column) {
    Buffer codes;
    if (left.width != column.width) codes = widened(left, left_.rows);
    const std::byte* const from = left.width != column.width ? codes.data() : left.buffer.data();
    for (std::size_t row = 0; row < matches_.size(); ++row) {
      if (matches_[row] != kNoMatch) continue;
      std::memcpy(column.buffer.data() + row * column.width, from + row * column.width,
                  column.width);
      if (accesses_.meters_working_memory())
        accesses_.pass(left.buffer.data() + row * left.width, left.width, AccessKind::kRead);
    }
  }

  ResultTable left_;
  const ResultTable& right_;
  Matches matches_;
  QueryContext& context_;
  AccessLog& accesses_;
};

}  // namespace

Matches match_rows(const PlanSource& source, const ResultTable& left, const ResultTable& right,
                   QueryContext& context) {
  const auto left_rows = static_cast<std::size_t>(left.rows);
  if (right.rows == 0 || left.rows == 0) return Matches(left_rows, kNoMatch, &context.memory);
  if (source.left_keys.empty()) return Matches(left_rows, 0, &context.memory);
  const std::vector<Words> left_words =
      key_words(left, source.left_keys, right, source.right_keys, context);
  const std::vector<Words> right_words =
      key_words(right, source.right_keys, right, source.right_keys, context);
  if (source.kind == SourceKind::kAsOf || source.kind == SourceKind::kAsOfTimes)
    return match_as_of(left_words, left_rows, right_words, context);
  const RowGroups groups(right_words, context);
  Matches matches(left_rows, kNoMatch, &context.memory);
  for_each_chunk(context.pool, left_rows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const std::uint32_t group = groups.find(left_words, row);
      if (group != RowGroups::kNone) matches[row] = groups.first_rows()[group];
    }
  });
  return matches;
}

ResultTable join_rows(const PlanSource& source, ResultTable left, const ResultTable& right,
                      Matches matches, QueryContext& context) {
  return Joiner(std::move(left), right, std::move(matches), context).run(source);
}

}  // namespace hdbench
