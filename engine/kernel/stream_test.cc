// Every stream kernel on every instruction set that this machine has, against plain loops.
#include "engine/kernel/stream.h"

#include <hwy/targets.h>

#include <memory>
#include <new>
#include <numeric>
#include <random>
#include <vector>

#include "engine/base/catch.h"

using namespace hdbench;

namespace {

// Words: none, one, parts of a line, lines, a block of eight pages and a bit more or less.
constexpr std::size_t kLengths[] = {0,   1,   7,   8,   9,   63,   64,   65,   127,  128,
                                    191, 192, 193, 255, 256, 4095, 4096, 4097, 12345};
constexpr StreamOrder kOrders[] = {StreamOrder::kLinear, StreamOrder::kEightPages};
constexpr StoreKind kStores[] = {StoreKind::kNormal, StoreKind::kNonTemporal};
constexpr std::uint64_t kGuard = 0xeeee'eeee'eeee'eeee;

// Words on a 64-byte boundary with guards behind them.
class Words {
 public:
  explicit Words(std::size_t count) : all_(count + 16 + 8, kGuard), count_(count) {
    const auto address = reinterpret_cast<std::size_t>(all_.data());
    skip_ = (64 - address % 64) % 64 / sizeof(std::uint64_t);
  }
  std::span<std::uint64_t> span() { return std::span(all_).subspan(skip_, count_); }
  bool guards_stand() const {
    for (std::size_t i = skip_ + count_; i < all_.size(); ++i) {
      if (all_[i] != kGuard) return false;
    }
    return true;
  }

 private:
  std::vector<std::uint64_t> all_;
  std::size_t count_;
  std::size_t skip_ = 0;
};

template <typename Check>
void on_every_target_and_size(const Check& check) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    INFO(hwy::TargetName(target));
    for (const std::size_t size : kLengths) {
      INFO(size << " words");
      check(size);
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

void randomise(std::span<std::uint64_t> words) {
  std::mt19937_64 random(words.size());
  for (std::uint64_t& word : words) word = random();
}

}  // namespace

TEST_CASE("a stream's sum is the sum of its words, wrapping, on every instruction set") {
  on_every_target_and_size([](std::size_t size) {
    Words words(size);
    randomise(words.span());
    const std::uint64_t expected =
        std::accumulate(words.span().begin(), words.span().end(), std::uint64_t{0});
    for (const StreamOrder order : kOrders) REQUIRE(stream_sum(words.span(), order) == expected);
    REQUIRE(stream_sum(words.span(), StreamOrder::kFetched) == expected);
  });
}

TEST_CASE("a fill writes every word and nothing beyond, on every instruction set") {
  on_every_target_and_size([](std::size_t size) {
    for (const StoreKind stores : kStores) {
      Words words(size);
      stream_fill(words.span(), 0x0102'0304'0506'0708, stores);
      for (const std::uint64_t word : words.span()) REQUIRE(word == 0x0102'0304'0506'0708);
      REQUIRE(words.guards_stand());
    }
  });
}

TEST_CASE("a copy puts every word in its place and nothing beyond, on every instruction set") {
  on_every_target_and_size([](std::size_t size) {
    Words from(size);
    randomise(from.span());
    for (const StreamOrder order : kOrders) {
      for (const StoreKind stores : kStores) {
        Words to(size);
        stream_copy(from.span(), to.span(), order, stores);
        REQUIRE(std::equal(from.span().begin(), from.span().end(), to.span().begin()));
        REQUIRE(to.guards_stand());
      }
    }
  });
}
