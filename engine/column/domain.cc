#include "engine/column/domain.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "engine/base/check.h"

namespace hdbench {
namespace {

// A symbol beside the first bytes by which it differs from others, as a number: most comparisons
// then read no text.
struct TextKey {
  std::uint64_t bytes = 0;
  std::uint32_t code = 0;
};

// What all symbols but the empty one begin with.
std::size_t common_bytes(const std::vector<std::string_view>& symbols) {
  std::string_view common = symbols.front().empty() ? symbols.back() : symbols.front();
  for (const std::string_view symbol : symbols) {
    if (symbol.empty()) continue;
    const auto [end, unused] = std::ranges::mismatch(common, symbol);
    common = common.substr(0, static_cast<std::size_t>(end - common.begin()));
  }
  return common.size();
}

// Orders as the text does, but for equal numbers.
std::uint64_t bytes_behind(std::string_view symbol, std::size_t common) {
  std::uint64_t bytes = 0;
  for (std::size_t at = common; at < common + sizeof(bytes); ++at)
    bytes = bytes << 8 | (at < symbol.size() ? static_cast<unsigned char>(symbol[at]) : 0U);
  return bytes;
}

}  // namespace

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
    const std::size_t common = common_bytes(symbols_);
    std::vector<TextKey> order(symbols_.size());
    for (std::uint32_t code = 0; code < order.size(); ++code)
      order[code] = {bytes_behind(symbols_[code], common), code};
    std::sort(order.begin(), order.end(), [this](const TextKey& left, const TextKey& right) {
      if (left.bytes != right.bytes) return left.bytes < right.bytes;
      return symbols_[left.code] < symbols_[right.code];
    });
    ranks_.resize(symbols_.size());
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i > 0 && symbols_[order[i].code] != symbols_[order[i - 1].code]) ++rank;
      ranks_[order[i].code] = rank;
    }
  });
  return ranks_;
}

}  // namespace hdbench
