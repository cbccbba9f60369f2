#include "engine/shaping/row_joins.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "engine/kernel/bits.h"
#include "engine/operator/gather.h"
#include "engine/shaping/row_keys.h"
#include "engine/shaping/row_order.h"
#include "engine/shaping/timed_groups.h"

namespace hdbench {
namespace {

// The rows that are matched, by their places among groups.
class MarkedPlaces {
 public:
  // No marks: all rows.
  MarkedPlaces(const TimedGroups& groups, const Buffer& marks, std::size_t rows,
               std::pmr::memory_resource& memory)
      : words_(&memory), behind_(&memory) {
    if (marks.bytes() == 0) return;
    const auto* const by_row = reinterpret_cast<const std::uint64_t*>(marks.data());
    words_.assign(by_row, by_row + words_for(rows));
    if (!groups.order().empty()) std::fill(words_.begin(), words_.end(), 0);
    for (std::size_t place = 0; place < groups.order().size(); ++place) {
      if (is_set(by_row, groups.order()[place]))
        words_[place / kWordRows] |= std::uint64_t{1} << place % kWordRows;
    }
    behind_.reserve(words_.size());
    std::size_t behind = 0;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      behind_.push_back(behind);
      if (words_[w] != 0) behind = behind_last(w, words_[w]);
    }
  }

  // The place behind the last one of [begin, end) that is matched, or begin.
  std::size_t behind(std::size_t begin, std::size_t end) const {
    if (words_.empty() || begin == end) return end;
    const std::size_t word = (end - 1) / kWordRows;
    const std::uint64_t left = words_[word] & tail_mask(end - word * kWordRows);
    return std::max(begin, left != 0 ? behind_last(word, left) : behind_[word]);
  }

 private:
  static std::size_t behind_last(std::size_t word, std::uint64_t bits) {
    return word * kWordRows + static_cast<std::size_t>(std::bit_width(bits));
  }

  std::pmr::vector<std::uint64_t> words_;
  std::pmr::vector<std::size_t> behind_;  // by word: behind the last place before it
};

Matches match_as_of(const std::vector<Words>& left, std::size_t left_rows,
                    const std::vector<Words>& right, const Buffer& marks, QueryContext& context) {
  const TimedGroups groups(std::span<const Words>(right).first(right.size() - 1), right.back(),
                           context);
  const std::span<const Words> left_keys = std::span<const Words>(left).first(left.size() - 1);
  Matches matches(left_rows, kNoMatch, &context.memory);
  const MarkedPlaces marked(groups, marks, right.back().size(), context.memory);
  for_each_chunk(context.pool, left_rows, [&](std::size_t begin, std::size_t end) {
    std::uint32_t group = RowGroups::kNone;
    std::size_t hint = 0;
    for (std::size_t row = begin; row < end; ++row) {
      if (row == begin || !are_equal(left_keys, row, left_keys, row - 1)) {
        group = groups.group_of(left_keys, row);
        hint = 0;
      }
      if (group == RowGroups::kNone) continue;
      const std::size_t first = groups.begin_of(group);
      const std::size_t place =
          marked.behind(first, groups.place_behind(group, left.back()[row], hint));
      if (place != first) matches[row] = groups.row_at(place - 1);
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
    if (source.kind == SourceKind::kInner) keep_rows(/*are_matched=*/true);
    if (source.kind == SourceKind::kWithout) keep_rows(/*are_matched=*/false);
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
  // The left rows that have a match, or those that have none.
  void keep_rows(bool are_matched) {
    RowNumbers kept(&context_.memory);
    for (std::size_t row = 0; row < matches_.size(); ++row) {
      if ((matches_[row] != kNoMatch) == are_matched) kept.push_back(row);
    }
    std::erase_if(matches_, [&](std::uint32_t row) { return (row != kNoMatch) != are_matched; });
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
      accesses_.pass_column(from.buffer, std::size_t{row} * from.width, from.width);
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
      accesses_.pass_column(left.buffer, row * left.width, left.width);
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
    return match_as_of(left_words, left_rows, right_words, right.marks, context);
  const RowGroups groups(right_words, context);
  Matches matches(left_rows, kNoMatch, &context.memory);
  for_each_chunk(context.pool, left_rows, [&](std::size_t begin, std::size_t end) {
    std::uint32_t group = RowGroups::kNone;
    for (std::size_t row = begin; row < end; ++row) {
      // Equal keys are often neighbours.
      if (row == begin || !are_equal(left_words, row, left_words, row - 1))
        group = groups.find(left_words, row);
      if (group != RowGroups::kNone) matches[row] = groups.first_rows()[group];
    }
  });
  return matches;
}

ResultTable join_every_match(const PlanSource& source, ResultTable left, const ResultTable& right,
                             QueryContext& context) {
  Matches matches(&context.memory);
  RowNumbers left_rows(&context.memory);
  if (left.rows != 0 && right.rows != 0) {
    const std::vector<Words> words =
        key_words(left, source.left_keys, right, source.right_keys, context);
    const std::vector<Words> right_words =
        key_words(right, source.right_keys, right, source.right_keys, context);
    const RowGroups groups(right_words, context);
    const RowSegments segments = make_segments(groups, context);
    std::uint32_t group = RowGroups::kNone;
    for (std::size_t row = 0; row < left.rows; ++row) {
      if (row == 0 || !are_equal(words, row, words, row - 1)) group = groups.find(words, row);
      if (group == RowGroups::kNone) continue;
      const std::uint64_t begin = group == 0 ? 0 : segments.ends[group - 1];
      for (std::uint64_t place = begin; place < segments.ends[group]; ++place) {
        left_rows.push_back(row);
        matches.push_back(segments.order.empty() ? static_cast<std::uint32_t>(place)
                                                 : segments.order[place]);
      }
    }
  }
  left = take_rows(std::move(left), left_rows, context);
  return join_rows(source, std::move(left), right, std::move(matches), context);
}

ResultTable join_rows(const PlanSource& source, ResultTable left, const ResultTable& right,
                      Matches matches, QueryContext& context) {
  return Joiner(std::move(left), right, std::move(matches), context).run(source);
}

}  // namespace hdbench
