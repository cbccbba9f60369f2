#include "engine/operator/key_splitters.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "engine/base/check.h"

namespace hdbench {

KeySplitters::KeySplitters(std::vector<std::vector<std::int64_t>> sample, std::size_t ranges) {
  HDB_CHECK(ranges >= 1 && ranges <= kRangesMax, "a range's number has one byte");
  std::sort(sample.begin(), sample.end());
  if (!sample.empty()) words_.resize(sample.front().size());
  const std::vector<std::int64_t>* last = nullptr;
  for (std::size_t r = 1; r < ranges && !words_.empty(); ++r) {
    const std::vector<std::int64_t>& key = sample[r * sample.size() / ranges];
    if (last != nullptr && *last == key) continue;
    last = &key;
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w].push_back(key[w]);
    ++count_;
  }
  if (count_ == 0) return;
  while (lead_ + 1 < words_.size() && words_[lead_].front() == words_[lead_].back()) ++lead_;
  padded_ = words_[lead_];
  for (std::size_t s = 0; s < count_; ++s) {
    const bool is_tie = s != 0 && padded_[s - 1] == padded_[s];
    ties_.push_back(is_tie ? ties_.back() : s);
  }
  padded_.resize(std::bit_ceil(count_ + 1) - 1, std::numeric_limits<std::int64_t>::max());
}

std::size_t KeySplitters::not_above(std::span<const std::int64_t* const> numbers, std::size_t i,
                                    std::size_t word, std::size_t begin, std::size_t end) const {
  for (; word < words_.size() && begin < end; ++word) {
    const auto first = words_[word].begin();
    const auto [low, high] =
        std::equal_range(first + static_cast<std::ptrdiff_t>(begin),
                         first + static_cast<std::ptrdiff_t>(end), numbers[word][i]);
    begin = static_cast<std::size_t>(low - first);
    end = static_cast<std::size_t>(high - first);
  }
  return end;
}

void KeySplitters::ranges_of(std::span<const std::int64_t* const> numbers, std::size_t count,
                             std::uint8_t* ranges) const {
  if (count_ == 0) {
    std::fill_n(ranges, count, std::uint8_t{0});
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    bool has_prefix = true;
    for (std::size_t w = 0; w < lead_; ++w) has_prefix &= numbers[w][i] == words_[w].front();
    if (!has_prefix) {
      ranges[i] = static_cast<std::uint8_t>(not_above(numbers, i, 0, 0, count_));
      continue;
    }
    // How many splitters have no greater leading word; no branch tells keys apart.
    const std::int64_t number = numbers[lead_][i];
    std::size_t range = 0;
    for (std::size_t step = (padded_.size() + 1) / 2; step != 0; step /= 2)
      range += padded_[range + step - 1] <= number ? step : 0;
    range = std::min(range, count_);
    const bool is_tie = lead_ + 1 < words_.size() && range != 0 && padded_[range - 1] == number;
    if (is_tie) range = not_above(numbers, i, lead_ + 1, ties_[range - 1], range);
    ranges[i] = static_cast<std::uint8_t>(range);
  }
}

}  // namespace hdbench
