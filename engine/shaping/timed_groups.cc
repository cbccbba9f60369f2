#include "engine/shaping/timed_groups.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace hdbench {
namespace {

// Whether elements are their own words.
bool are_words(const ResultColumn& column) {
  return column.width == sizeof(std::int64_t) && column.type != QType::kSymbol &&
         !is_floating(column.type) && column.type != QType::kNested;
}

void translate(Words& codes, std::span<const std::int64_t> translated) {
  for (std::int64_t& code : codes) code = translated[static_cast<std::size_t>(code)];
}

// The first place of [begin, end) whose time is above this one, or the end.
template <typename TimeAt>
std::size_t place_among(const TimeAt& time_at, std::size_t begin, std::size_t end,
                        std::int64_t time, std::size_t hint) {
  constexpr std::size_t kBlock = 8;
  constexpr std::size_t kBlocks = 4;
  std::size_t low = begin;
  std::size_t count = end - begin;
  if (hint > begin && hint <= end && time_at(hint - 1) <= time) {
    low = hint;
    // A few rows on, all that are passed are counted; further on steps double.
    for (std::size_t block = 0; block < kBlocks && low + kBlock <= end; ++block) {
      std::size_t passed = 0;
      for (std::size_t i = 0; i < kBlock; ++i) passed += time_at(low + i) <= time ? 1 : 0;
      low += passed;
      if (passed < kBlock) return low;
    }
    std::size_t step = kBlock;
    for (; low + step < end && time_at(low + step) <= time; step *= 2) low += step + 1;
    low = std::min(low, end);
    count = std::min(end - low, step);
  }
  // Without branches, as which half it is cannot be foretold.
  while (count > 0) {
    const std::size_t half = count / 2;
    const bool is_passed = time_at(low + half) <= time;
    low = is_passed ? low + half + 1 : low;
    count = is_passed ? count - half - 1 : half;
  }
  return low;
}

}  // namespace

std::vector<std::int64_t> translated_codes(const Domain& from, const Domain& to) {
  std::unordered_map<std::string_view, std::int64_t> by_text;
  for (std::size_t code = 0; code < to.size(); ++code)
    by_text.emplace(to.text(code), static_cast<std::int64_t>(code));
  std::vector<std::int64_t> translated(from.size());
  for (std::size_t code = 0; code < translated.size(); ++code) {
    const auto found = by_text.find(from.text(code));
    translated[code] =
        found != by_text.end() ? found->second : -1 - static_cast<std::int64_t>(code);
  }
  return translated;
}

std::vector<Words> key_words(const ResultTable& table, std::span<const std::size_t> keys,
                             const ResultTable& right, std::span<const std::size_t> right_keys,
                             const QueryContext& context) {
  std::vector<Words> all;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const ResultColumn& column = table.columns[keys[k]];
    const ResultColumn& other = right.columns[right_keys[k]];
    if (are_words(column)) {
      all.emplace_back(column.buffer, static_cast<std::size_t>(table.rows));
      continue;
    }
    std::vector<Words> words = equality_words(column, table.rows, context);
    if (column.type == QType::kSymbol && column.domain != other.domain && table.rows != 0)
      translate(words.front(), translated_codes(*column.domain, *other.domain));
    for (Words& made : words) all.push_back(std::move(made));
  }
  return all;
}

TimedGroups::TimedGroups(std::span<const Words> keys, const Words& times, QueryContext& context)
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

std::size_t TimedGroups::place_behind(std::uint32_t group, std::int64_t time,
                                      std::size_t& hint) const {
  const std::size_t begin = begin_of(group);
  const auto end = static_cast<std::size_t>(ends_[group]);
  hint = order_.empty()
             ? place_among([times = times_.data()](std::size_t place) { return times[place]; },
                           begin, end, time, hint)
             : place_among([this](std::size_t place) { return time_at(place); }, begin, end, time,
                           hint);
  return hint;
}

// Where a group's rows are not in the order of their times, they are put in it.
void TimedGroups::sort_groups(const QueryContext& context) {
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

}  // namespace hdbench
