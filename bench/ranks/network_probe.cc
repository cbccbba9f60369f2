#include "bench/ranks/network_probe.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

#include "bench/base/statistics.h"

namespace hdbench::bench {
namespace {

constexpr std::array<std::uint64_t, 5> kSizes = {8, 1 << 10, 64 << 10, 1 << 20, 16 << 20};
constexpr std::size_t kTimesMost = 200;
constexpr std::size_t kTimesLeast = 3;
constexpr double kMsOfSize = 100;
// No message: serve_network() ends.
constexpr std::uint64_t kEnd = 0;

std::span<const std::byte> bytes_of(const std::uint64_t& number) {
  return std::as_bytes(std::span(&number, 1));
}

// Into `buffer`, whose first bytes are then the other's clock.
double ask(RankJob& job, std::size_t rank, std::span<std::byte> buffer) {
  const double begin_ms = clock_ms();
  job.send(rank, bytes_of(buffer.size()));
  job.receive(rank, buffer);
  return clock_ms() - begin_ms;
}

LinkFigures measure_link(RankJob& job, std::size_t rank, std::vector<std::byte>& buffer) {
  LinkFigures link;
  double shortest_ms = std::numeric_limits<double>::infinity();
  for (const std::uint64_t size : kSizes) {
    const std::span<std::byte> message = std::span(buffer).first(size);
    ask(job, rank, message);  // the first one also makes the connection
    std::vector<double> times;
    const double begin_ms = clock_ms();
    while (times.size() < kTimesLeast ||
           (times.size() < kTimesMost && clock_ms() - begin_ms < kMsOfSize)) {
      const double ms = ask(job, rank, message);
      times.push_back(ms);
      if (size != kSizes.front() || ms >= shortest_ms) continue;
      shortest_ms = ms;
      double other_ms = 0;
      std::memcpy(&other_ms, message.data(), sizeof(other_ms));
      link.clock_offset_ms = other_ms - (clock_ms() - ms / 2);
      link.clock_error_ms = ms / 2;
    }
    link.points.push_back({size, median(times)});
  }
  const double more_ms = link.points.back().ms - link.points.front().ms;
  if (more_ms > 0) link.gb_s = static_cast<double>(kSizes.back()) / more_ms / 1e6;
  return link;
}

double measure_all(RankJob& job, std::vector<std::byte>& buffer, double smallest_ms) {
  std::vector<double> times;
  for (std::size_t time = 0; time < kTimesLeast; ++time) {
    const double begin_ms = clock_ms();
    for (std::size_t rank = 1; rank < job.count(); ++rank) job.send(rank, bytes_of(kSizes.back()));
    for (std::size_t rank = 1; rank < job.count(); ++rank) job.receive(rank, buffer);
    times.push_back(clock_ms() - begin_ms);
  }
  const double ms = std::max(median(times) - smallest_ms, 1e-6);
  return static_cast<double>(kSizes.back() * (job.count() - 1)) / ms / 1e6;
}

}  // namespace

double clock_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(now).count();
}

NetworkFigures measure_network(RankJob& job) {
  NetworkFigures network;
  network.by_rank.resize(job.count());
  std::vector<std::byte> buffer(kSizes.back());
  double smallest_ms = 0;
  for (std::size_t rank = 1; rank < job.count(); ++rank) {
    network.by_rank[rank] = measure_link(job, rank, buffer);
    smallest_ms = std::max(smallest_ms, network.by_rank[rank].points.front().ms);
  }
  network.all_gb_s = measure_all(job, buffer, smallest_ms);
  for (std::size_t rank = 1; rank < job.count(); ++rank) job.send(rank, bytes_of(kEnd));
  return network;
}

void serve_network(RankJob& job) {
  std::vector<std::byte> buffer(kSizes.back());
  for (;;) {
    std::uint64_t size = kEnd;
    job.receive(0, std::as_writable_bytes(std::span(&size, 1)));
    if (size == kEnd) return;
    const double now_ms = clock_ms();
    std::memcpy(buffer.data(), &now_ms, sizeof(now_ms));
    job.send(0, std::span(buffer).first(size));
  }
}

}  // namespace hdbench::bench
