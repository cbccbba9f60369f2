#include "engine/column/domain.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/base/check.h"

namespace hdbench {

Domain::Domain(std::string name, std::vector<std::string_view> symbols,
               std::shared_ptr<const void> keep_alive)
    : name_(std::move(name)),
      symbols_(std::move(symbols)),
      stored_size_(symbols_.size()),
      keep_alive_(std::move(keep_alive)) {
  HDB_CHECK(stored_size_ <= std::numeric_limits<std::uint32_t>::max(),
            "a domain of more than 2^32 symbols");
  const auto found = std::find(symbols_.begin(), symbols_.end(), std::string_view());
  null_code_ = static_cast<std::uint64_t>(found - symbols_.begin());
  if (found == symbols_.end()) symbols_.emplace_back();
}

std::optional<std::uint64_t> Domain::find(std::string_view text) const {
  const auto found = std::find(symbols_.begin(), symbols_.end(), text);
  if (found == symbols_.end()) return std::nullopt;
  return static_cast<std::uint64_t>(found - symbols_.begin());
}

std::span<const std::uint32_t> Domain::ranks() const {
  std::call_once(ranks_once_, [this] {
    std::vector<std::uint32_t> order(symbols_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [this](std::uint32_t left, std::uint32_t right) {
      return symbols_[left] < symbols_[right];
    });
    ranks_.resize(symbols_.size());
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i > 0 && symbols_[order[i]] != symbols_[order[i - 1]]) ++rank;
      ranks_[order[i]] = rank;
    }
  });
  return ranks_;
}

}  // namespace hdbench
