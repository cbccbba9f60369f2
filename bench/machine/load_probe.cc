#include "bench/machine/load_probe.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <utility>

#include "bench/base/statistics.h"
#include "bench/machine/memory_probe.h"
#include "engine/base/check.h"
#include "engine/kernel/stream.h"

namespace hdbench::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kUnitBytes = std::size_t{32} << 10;
constexpr std::size_t kUnitWords = kUnitBytes / sizeof(std::uint64_t);
constexpr std::uint64_t kStreamed = 0x9e3779b97f4a7c15;  // every word of the streamed buffer
constexpr double kSettleSeconds = 0.05;                  // until page tables are in the caches
constexpr std::size_t kHopsAtOnce = 2000;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::span<std::uint64_t> words_in(const Region& region) {
  return {reinterpret_cast<std::uint64_t*>(region.bytes.data()),
          region.bytes.size() / sizeof(std::uint64_t)};
}

// One thread's part of the streamed buffer: units to read in its first half, to write in the other.
class Traffic {
 public:
  Traffic(std::span<std::uint64_t> words, const TrafficMix& mix)
      : units_(words.size() / 2 / kUnitWords),
        reads_(words.first(units_ * kUnitWords)),
        writes_(words.last(units_ * kUnitWords)),
        mix_(mix) {}

  // Reads and writes a round of the mix. A read unit is copied to a written one where there is one,
  // so that both are under way at once.
  void move() {
    const unsigned copies = std::min(mix_.reads, mix_.writes);
    for (unsigned k = 0; k < copies; ++k) {
      stream_copy(next(reads_, read_), next(writes_, written_), StreamOrder::kLinear,
                  StoreKind::kNonTemporal);
    }
    for (unsigned k = copies; k < mix_.reads; ++k) {
      sum_ += stream_sum(next(reads_, read_), StreamOrder::kLinear);
      ++summed_;
    }
    for (unsigned k = copies; k < mix_.writes; ++k) {
      stream_fill(next(writes_, written_), kStreamed, StoreKind::kNonTemporal);
    }
    bytes_ += (mix_.reads + mix_.writes) * kUnitBytes;
  }

  std::size_t bytes() const { return bytes_; }
  // Of all that was read, and of the unit that was written last.
  bool is_right() const {
    if (sum_ != kStreamed * kUnitWords * summed_) return false;
    if (written_ == 0) return true;
    const auto last = writes_.subspan((written_ - 1) % units_ * kUnitWords, kUnitWords);
    return stream_sum(last, StreamOrder::kLinear) == kStreamed * kUnitWords;
  }

 private:
  std::span<std::uint64_t> next(std::span<std::uint64_t> half, std::size_t& number) const {
    return half.subspan(number++ % units_ * kUnitWords, kUnitWords);
  }

  std::size_t units_;
  std::span<std::uint64_t> reads_;
  std::span<std::uint64_t> writes_;
  TrafficMix mix_;
  std::size_t read_ = 0;
  std::size_t written_ = 0;
  std::uint64_t sum_ = 0;
  std::size_t summed_ = 0;
  std::size_t bytes_ = 0;
};

// What a thread moved, on a line of its own.
struct alignas(64) Moved {
  double gb_s = 0;
  bool is_right = true;
};

// All threads begin together, and end when one of them says so.
class Together {
 public:
  explicit Together(std::size_t threads) : missing_(threads) {}
  void begin() {
    missing_.fetch_sub(1);
    while (missing_.load(std::memory_order_relaxed) > 0) {
    }
  }
  void end() { ended_.store(true, std::memory_order_relaxed); }
  bool has_ended() const { return ended_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::size_t> missing_;
  std::atomic<bool> ended_{false};
};

// Calls `step` until so much time has passed, and returns how much did.
template <typename Step>
double repeat_for(double wanted_seconds, const Step& step) {
  const auto begin = Clock::now();
  double seconds = 0;
  for (; seconds < wanted_seconds; seconds = seconds_since(begin)) step();
  return seconds;
}

Moved moved_in(const Traffic& traffic, double seconds) {
  return {static_cast<double>(traffic.bytes()) / seconds / 1e9, traffic.is_right()};
}

// gb_s: of this thread; nothing: as fast as it can.
Moved generate(Traffic traffic, std::optional<double> gb_s, const Together& together) {
  const auto begin = Clock::now();
  while (!together.has_ended()) {
    traffic.move();
    if (!gb_s) continue;
    const double due = static_cast<double>(traffic.bytes()) / (*gb_s * 1e9);
    while (seconds_since(begin) < due && !together.has_ended()) {
    }
  }
  return moved_in(traffic, seconds_since(begin));
}

struct ChaseResult {
  double ns = 0;
  bool is_right = true;
};

// Goes on from `line` and leaves it where it ended: lines that were read before are in the caches.
ChaseResult chase_for_a_while(std::span<const std::uint64_t> words, double share,
                              std::uint64_t& line) {
  std::size_t hops = 0;
  const auto hop = [&] {
    line = chase(words, line, kHopsAtOnce);
    hops += kHopsAtOnce;
  };
  repeat_for(kSettleSeconds * share, hop);
  const std::uint64_t from = line;
  hops = 0;
  const double seconds = repeat_for(LoadProbe::kSeconds * share, hop);
  const bool is_right = line == chase_expected(walked_lines(words.size()), from, hops);
  return {seconds * 1e9 / static_cast<double>(hops), is_right};
}

}  // namespace

Status LoadProbe::map_buffers() {
  if (!streamed_.bytes.empty()) return ok_status();
  HDB_ASSIGN(chased_, source_(buffer_bytes_));
  HDB_ASSIGN(streamed_, source_(buffer_bytes_));
  const auto words = words_in(chased_);
  link_lines(words, 0, words.size());
  stream_fill(words_in(streamed_), kStreamed, StoreKind::kNonTemporal);
  return ok_status();
}

std::vector<std::span<const std::byte>> LoadProbe::buffers() const {
  if (streamed_.bytes.empty()) return {};
  return {chased_.bytes, streamed_.bytes};
}

Result<double> LoadProbe::run(ThreadPool& pool, std::span<Generators> generators) {
  HDB_TRY(map_buffers());
  for (Generators& some : generators) HDB_TRY(some.memory->map_buffers());
  std::vector<Moved> moved(pool.size());
  ChaseResult chased;
  Together together(pool.size());
  pool.wake();
  pool.run(pool.size(), [&](std::size_t task, std::size_t) {
    const auto mine =
        std::find_if(generators.begin(), generators.end(), [&](const Generators& some) {
          return task >= some.first && task < some.first + some.count;
        });
    together.begin();
    // The first thread keeps the time: it chases, or generates as fast as it can.
    if (mine == generators.end()) {
      if (task != 0) return;
      chased = chase_for_a_while(words_in(chased_), share_of_time(), chased_line_);
      return together.end();
    }
    const auto words = words_in(mine->memory->streamed_);
    const std::size_t part = words.size() / mine->count;
    Traffic traffic(words.subspan((task - mine->first) * part, part), mine->mix);
    if (task == 0) {
      const double seconds =
          repeat_for(share_of_time() * (kSettleSeconds + kSeconds), [&] { traffic.move(); });
      together.end();
      moved[task] = moved_in(traffic, seconds);
    } else {
      std::optional<double> gb_s = mine->gb_s;
      if (gb_s) *gb_s /= static_cast<double>(mine->count);
      moved[task] = generate(traffic, gb_s, together);
    }
  });
  bool is_right = chased.is_right;
  for (const Moved& one : moved) is_right = is_right && one.is_right;
  if (!is_right) {
    return Error{ErrorKind::kMismatch, "loaded memory: something was read that is not there", {}};
  }
  for (Generators& some : generators) {
    some.moved_gb_s = 0;
    for (std::size_t k = 0; k < some.count; ++k) some.moved_gb_s += moved[some.first + k].gb_s;
  }
  return chased.ns;
}

Result<LoadPoint> LoadProbe::latency(ThreadPool& pool, std::optional<double> gb_s) {
  std::vector<Generators> generators;
  if (gb_s != 0.0) {
    HDB_CHECK(pool.size() > 1, "one thread chases, others make the load");
    generators.push_back({1, pool.size() - 1, {}, gb_s, this});
  }
  HDB_ASSIGN(const double ns, run(pool, generators));
  const double of_others = generators.empty() ? 0 : generators.front().moved_gb_s;
  return LoadPoint{of_others + static_cast<double>(kLineBytes) / ns, ns};
}

Result<double> LoadProbe::bandwidth(ThreadPool& pool, const TrafficMix& mix) {
  Generators all{0, pool.size(), mix, std::nullopt, this};
  HDB_TRY(run(pool, {&all, 1}));
  return all.moved_gb_s;
}

Result<double> LoadProbe::bandwidth_beside(ThreadPool& pool, double gb_s) {
  const std::size_t others = pool.size() - 1;
  HDB_CHECK(others > 0, "one thread reads beside others");
  std::array<Generators, 2> both{
      {{0, others, {}, std::nullopt, this}, {others, 1, {}, gb_s, this}}};
  HDB_TRY(run(pool, std::span(both).first(gb_s > 0 ? 2 : 1)));
  return both[0].moved_gb_s;
}

Result<double> LoadProbe::taken_from(LoadProbe& other, ThreadPool& pool) {
  const std::size_t half = pool.size() / 2;
  HDB_CHECK(half > 0, "half of the threads read one memory, half the other");
  std::array<Generators, 2> both{
      {{0, half, {}, std::nullopt, &other}, {half, half, {}, std::nullopt, this}}};
  HDB_TRY(run(pool, std::span(both).first(1)));
  const double alone_gb_s = both[0].moved_gb_s;
  HDB_TRY(run(pool, both));
  return std::max(0.0, 1 - both[0].moved_gb_s / alone_gb_s);
}

Result<LoadCurves> measure_load(LoadProbe& probe, ThreadPool& pool, std::size_t rounds,
                                const std::function<bool(std::size_t, std::size_t)>& on_step) {
  constexpr std::size_t kLevels = 10;
  const std::size_t levels = pool.size() > 1 ? kLevels + 1 : 1;
  const std::size_t total = rounds * (levels + kMixes.size()) + 1;
  std::size_t done = 0;
  const auto step = [&] {
    return on_step(++done, total) ? ok_status() : Status(usage_error("interrupted"));
  };
  double most_gb_s = 0;
  if (pool.size() > 1) {
    HDB_ASSIGN(const LoadPoint most, probe.latency(pool, std::nullopt));
    most_gb_s = most.gb_s;
  }
  HDB_TRY(step());
  std::vector<std::vector<double>> gb_s(levels);
  std::vector<std::vector<double>> ns(levels);
  std::array<std::vector<double>, kMixes.size()> mixed;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t k = 0; k < levels; ++k) {
      std::optional<double> wanted;  // the last level: as much as they can
      if (k == 0 || k < kLevels) wanted = most_gb_s * static_cast<double>(k) / kLevels;
      HDB_ASSIGN(const LoadPoint point, probe.latency(pool, wanted));
      gb_s[k].push_back(point.gb_s);
      ns[k].push_back(point.ns);
      HDB_TRY(step());
    }
    for (std::size_t k = 0; k < kMixes.size(); ++k) {
      HDB_ASSIGN(const double rate, probe.bandwidth(pool, kMixes[k]));
      mixed[k].push_back(rate);
      HDB_TRY(step());
    }
  }
  LoadCurves curves;
  for (std::size_t k = 0; k < levels; ++k) {
    curves.latency.push_back({k == 0 ? 0 : median(gb_s[k]), median(ns[k])});
  }
  std::sort(curves.latency.begin(), curves.latency.end(),
            [](const LoadPoint& a, const LoadPoint& b) { return a.gb_s < b.gb_s; });
  for (std::size_t k = 0; k < kMixes.size(); ++k) {
    curves.mixes.push_back({kMixes[k].read_share(), median(mixed[k])});
  }
  return curves;
}

std::vector<LoadPoint> rising_latencies(std::vector<LoadPoint> points) {
  std::sort(points.begin(), points.end(),
            [](const LoadPoint& a, const LoadPoint& b) { return a.gb_s < b.gb_s; });
  // Runs of points that were brought to one latency, and how many each has.
  std::vector<std::pair<double, std::size_t>> runs;
  for (const LoadPoint& point : points) {
    runs.emplace_back(point.ns, 1);
    while (runs.size() > 1 && runs[runs.size() - 2].first > runs.back().first) {
      const auto [ns, count] = runs.back();
      runs.pop_back();
      auto& [before_ns, before] = runs.back();
      const auto weight = static_cast<double>(before);
      const auto more = static_cast<double>(count);
      before_ns = (before_ns * weight + ns * more) / (weight + more);
      before += count;
    }
  }
  std::size_t at = 0;
  for (const auto& [ns, count] : runs) {
    for (std::size_t k = 0; k < count; ++k) points[at++].ns = ns;
  }
  return points;
}

}  // namespace hdbench::bench
