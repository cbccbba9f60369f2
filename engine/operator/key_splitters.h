// Key splitters: divide the order of keys into ranges, to partition rows by key.
//
// Equal keys are in one range, and ranges are in key order, so the ranges' results in order are the
// ordered result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hdbench {

class KeySplitters {
 public:
  static constexpr std::size_t kRangesMax = 256;  // a range's number has one byte

  // sample[i]: the words of a key, as numbers in their order (sort_numbers()). At most `ranges`
  // ranges of about as many keys of the sample each.
  KeySplitters(std::vector<std::vector<std::int64_t>> sample, std::size_t ranges);

  std::size_t ranges() const { return count_ + 1; }
  // numbers[w][i] is word w of key i; ranges[i] becomes its range.
  void ranges_of(std::span<const std::int64_t* const> numbers, std::size_t count,
                 std::uint8_t* ranges) const;

 private:
  // Of the splitters in [begin, end), those not above key i, whose words before `word` are theirs.
  std::size_t not_above(std::span<const std::int64_t* const> numbers, std::size_t i,
                        std::size_t word, std::size_t begin, std::size_t end) const;

  std::size_t count_ = 0;
  std::vector<std::vector<std::int64_t>> words_;  // word w of splitter s: words_[w][s]
  // The first word that differs between splitters, or the last one.
  std::size_t lead_ = 0;
  std::vector<std::size_t> ties_;  // by splitter: the first one with its leading word
  // words_[lead_], behind them as many of the greatest number as make a power of two less one.
  std::vector<std::int64_t> padded_;
};

}  // namespace hdbench
