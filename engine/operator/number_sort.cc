#include "engine/operator/number_sort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

#include "engine/base/check.h"

namespace hdbench {
namespace {

// A digit's counters stay in the first-level cache.
constexpr int kDigitBits = 11;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
// More digits take longer than comparing.
constexpr int kDigitsMax = 4;
// Of fewer, clearing the counters does.
constexpr std::size_t kItemsMin = 512;

bool is_less(const Numbered& a, const Numbered& b) { return a.number < b.number; }

}  // namespace

void sort_numbered(std::span<Numbered> items, std::span<Numbered> room) {
  HDB_DCHECK(room.size() >= items.size(), "room for all items");
  if (items.size() < kItemsMin) return std::stable_sort(items.begin(), items.end(), is_less);
  const auto [least, greatest] = std::minmax_element(items.begin(), items.end(), is_less);
  const auto low = static_cast<std::uint64_t>(least->number);
  const auto bits =
      static_cast<int>(std::bit_width(static_cast<std::uint64_t>(greatest->number) - low));
  if (bits > kDigitsMax * kDigitBits) return std::stable_sort(items.begin(), items.end(), is_less);
  Numbered* from = items.data();
  Numbered* to = room.data();
  for (int shift = 0; shift < bits; shift += kDigitBits, std::swap(from, to)) {
    const auto digit = [&](const Numbered& item) {
      return ((static_cast<std::uint64_t>(item.number) - low) >> shift) & (kDigits - 1);
    };
    std::array<std::uint32_t, kDigits> places = {};
    for (std::size_t i = 0; i < items.size(); ++i) ++places[digit(from[i])];
    std::uint32_t next = 0;
    for (std::uint32_t& place : places) {
      const std::uint32_t count = place;
      place = next;
      next += count;
    }
    for (std::size_t i = 0; i < items.size(); ++i) to[places[digit(from[i])]++] = from[i];
  }
  if (from != items.data()) std::copy_n(from, items.size(), items.data());
}

}  // namespace hdbench
