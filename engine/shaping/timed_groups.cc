#include "engine/shaping/timed_groups.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace hdbench {
namespace {

void translate(Words& codes, std::span<const std::int64_t> translated) {
  for (std::int64_t& code : codes) code = translated[static_cast<std::size_t>(code)];
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
  std::size_t low = begin;
  std::size_t high = end;
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
  return low;
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
