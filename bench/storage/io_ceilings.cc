#include "bench/storage/io_ceilings.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/base/statistics.h"
#include "engine/base/byte_stream.h"
#include "engine/kernel/stream.h"
#include "pmem/memory/huge_memory.h"

namespace hdbench::bench {
namespace {

constexpr double kSeconds = 0.02;
constexpr std::uint64_t kLapBytes = 1 << 20;  // of small buffers, so that the clock costs nothing

// One way to read or write memory.
struct Pass {
  IoCeilingKind kind;
  StreamOrder order;
  StoreKind stores;
};

constexpr Pass kPasses[] = {
    {IoCeilingKind::kMemoryRead, StreamOrder::kLinear, StoreKind::kNormal},
    {IoCeilingKind::kMemoryRead, StreamOrder::kEightPages, StoreKind::kNormal},
    {IoCeilingKind::kMemoryRead, StreamOrder::kFetched, StoreKind::kNormal},
    {IoCeilingKind::kMemoryWrite, StreamOrder::kLinear, StoreKind::kNormal},
    {IoCeilingKind::kMemoryWrite, StreamOrder::kLinear, StoreKind::kNonTemporal},
};

Status stream(Worker& worker, std::uint64_t bytes, const Pass& pass) {
  HDB_ASSIGN(const Region memory, map_huge_memory(bytes));
  const std::span<std::uint64_t> words(reinterpret_cast<std::uint64_t*>(memory.bytes.data()),
                                       bytes / 8);
  stream_fill(words, 1, StoreKind::kNormal);
  const std::uint64_t times = std::max<std::uint64_t>(1, kLapBytes / bytes);
  const bool reads = pass.kind == IoCeilingKind::kMemoryRead;
  std::uint64_t sum = 0;
  std::uint64_t passes = 0;
  HDB_TRY(worker.begin());
  while (!worker.is_over()) {
    for (std::uint64_t k = 0; k < times; ++k) {
      if (reads) sum += stream_sum(words, pass.order);
      if (!reads) stream_fill(words, 1, pass.stores);
    }
    worker.lap(bytes * times);
    passes += times;
  }
  worker.end();
  if (!reads) {
    sum = stream_sum(words, pass.order);
    passes = 1;
  }
  return worker.check_sum(sum, passes * words.size(), "memory");
}

}  // namespace

Status IoCeilingRounds::measure_memory(const CeilingNeed& need) {
  const std::uint64_t bytes = std::max<std::uint64_t>(need.bytes / 64 * 64, 64);
  double best = 0;
  for (const Pass& pass : kPasses) {
    if (pass.kind != need.kind) continue;
    HDB_ASSIGN(const std::vector<ProcessFigures> reports,
               ranks_.run(need.processes, kSeconds,
                          [&](Worker& worker) { return stream(worker, bytes, pass); }));
    best = std::max(best, mb_per_s(reports));
  }
  add(need, best);
  return ok_status();
}

void IoCeilingRounds::measure_device_read(const std::vector<std::filesystem::path>& files) {
  measure_device(files, device_);
  ByteSink mine;
  mine.put(device_.known() ? std::max(device_.sequential.gb_s.back(), device_.random.gb_s.back())
                           : 0.0);
  mine.put_text(device_.reason);
  double gb_s = 0;
  const IoRanks::Messages all = ranks_.gather(mine.bytes());
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    ByteSource in(all[rank]);
    const auto one = in.take<double>();
    if (one == 0) device_.reason = ranks_.said_by(rank, in.take_text());
    if (one == 0) return;
    gb_s += one;
  }
  add({IoCeilingKind::kDeviceRead}, gb_s * 1e3);
}

double IoCeilingRounds::best_mb_s(const CeilingNeed& need) const {
  const auto found = rounds_.find(need);
  if (found == rounds_.end()) return 0;
  return *std::max_element(found->second.begin(), found->second.end());
}

std::string IoCeilingRounds::name_of(const CeilingNeed& need) {
  constexpr std::string_view kNames[] = {"", "device read", "device write", "memory read",
                                         "memory write"};
  std::string name(kNames[static_cast<std::size_t>(need.kind)]);
  if (need.processes > 0 && !name.empty()) {
    name += fmt::format(", {} x {} bytes", need.processes, need.bytes);
  }
  return name;
}

std::vector<IoCeiling> IoCeilingRounds::all() const {
  std::vector<IoCeiling> list;
  for (const auto& [need, rates] : rounds_) {
    list.push_back({name_of(need), median(rates), best_mb_s(need), ""});
  }
  if (!device_.reason.empty()) list.push_back({"device read", 0, 0, device_.reason});
  return list;
}

}  // namespace hdbench::bench
