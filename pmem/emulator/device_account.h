// One device's account: the bytes moved, the time until which the device is busy, and the cost of
// latency.
//
// Rates are computed when a query begins, for its number of threads; a charge takes a few
// multiplications and one compare-and-swap for each clock. Thread-safe.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "pmem/base/shared_array.h"
#include "pmem/emulator/device_profile.h"
#include "pmem/emulator/recent_load.h"

namespace hdbench::pmem {

// Absent figures: an empty curve, or 0.
struct HostCalibration {
  BandwidthCurve read;
  BandwidthCurve write;
  BandwidthCurve copy;
  double chase_ns = 0;       // a random load that waits for the one before
  double sequential_ns = 0;  // a load of the next line; 0: chase_ns
};

// Nanoseconds that the host itself takes for such an access; 0 where it was not measured.
double host_access_ns(const HostCalibration& host, AccessKind kind, AccessPattern pattern);

// One line for each figure in which the device is faster than the host at this many threads: "read
// latency 101.5 ns, but this host takes 170 ns". Empty: the device can be emulated here.
std::vector<std::string> host_limits(const DeviceProfile& device, const HostCalibration& host,
                                     double threads);

// The time of a file's first bytes on a disk, which nothing has read ahead.
//
// A profile holds rates of whole files by their size. The time of a file's first b bytes is what a
// file of b bytes takes: linear between the sizes that were measured, from nothing at no bytes, and
// at the stream's rate beyond the largest. No stretch is faster than the stream.

// Nanoseconds of a transfer: what one thread alone takes, and what the disk takes of its time.
struct StartTimes {
  double one_thread_ns = 0;
  double device_ns = 0;
};

class FileStart {
 public:
  // As if no file's size had been measured, of a disk that takes no time.
  FileStart() = default;
  FileStart(const DeviceProfile& profile, StartTimes stream_a_byte);

  // What the first read of a file waits beside the transfer, with nothing in flight: the disk's
  // latency, or what of it the smallest file's time leaves space for.
  double wait_ns() const { return wait_ns_; }

  // Beyond so many bytes a file is a stream. 0: no size was measured.
  std::uint64_t bytes() const { return points_.empty() ? 0 : points_.back().bytes; }

  // The transfer of a file's bytes from `begin` to `end`, without the wait.
  StartTimes between(std::uint64_t begin, std::uint64_t end) const;

  // The same of a thread that needs one page of a window of so many bytes, all of which is read: it
  // goes on when half of them are there, on the average, but what the smallest file has comes in
  // one piece.
  double page_ns(std::uint64_t window_bytes) const;

 private:
  struct Point {
    std::uint64_t bytes = 0;
    StartTimes until;  // of all bytes to here
  };
  StartTimes until(std::uint64_t bytes) const;

  StartTimes stream_a_byte_;
  double wait_ns_ = 0;
  std::vector<Point> points_;  // rising
};

// A counter with many writers: each thread adds on a cache line of few others, to avoid traffic
// between cores. Read when the writers are done.
class ShardedCount {
 public:
  // Many threads may add at once.
  void add(std::uint64_t count) {
    shards_[this_shard()].value.fetch_add(count, std::memory_order_relaxed);
  }

  // Exact when nobody adds meanwhile.
  std::uint64_t sum() const {
    std::uint64_t total = 0;
    for (const Shard& shard : shards_) total += shard.value.load(std::memory_order_relaxed);
    return total;
  }

  // Not while others add.
  void reset() {
    for (Shard& shard : shards_) shard.value.store(0, std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t kShards = 32;

  struct alignas(64) Shard {
    std::atomic<std::uint64_t> value{0};
  };

  // Threads take shards in turn; more threads than shards share them.
  static std::size_t this_shard() {
    static std::atomic<std::size_t> next{0};
    thread_local const std::size_t mine = next.fetch_add(1, std::memory_order_relaxed) % kShards;
    return mine;
  }

  std::array<Shard, kShards> shards_;
};

// A device's clock: the time at which it is free again.
//
// A charge occupies the device from the moment it is free, but from no earlier than a `burst`
// before now: a device that was idle for less counts as busy, as reports arrive late. A bucket of
// credits is such a clock at the refill rate, whose burst is the time to fill the bucket. A bucket
// refilled in steps (the kernel's throttle: a number of bytes in each slice of time) is a clock
// whose work ends at the next step, counted from the first use of the full bucket.
//
// Aligned to its own cache lines, as charges write it while neighbouring data are only read.
class alignas(64) VirtualClock {
 public:
  explicit VirtualClock(std::int64_t burst_ns = 0) : burst_ns_(burst_ns) {}

  // Free since `free_ns`, by the burst that is set; not while others book.
  void reset(std::int64_t free_ns) {
    free_ns_.store(free_ns, std::memory_order_relaxed);
    first_step_ns_ = free_ns + burst_ns_;
  }
  void set_burst(std::int64_t burst_ns) {
    if (burst_ns_ != burst_ns) burst_ns_ = burst_ns;
  }
  // 0: none.
  void set_step(std::int64_t step_ns) { step_ns_ = step_ns; }

  // Books work_ns and returns when it ends. Many threads may book at once.
  std::int64_t book(std::int64_t now_ns, std::int64_t work_ns) {
    if (step_ns_ > 0) return book_stepped(now_ns, work_ns);
    const std::int64_t earliest = now_ns - burst_ns_;
    std::int64_t free = free_ns_.load(std::memory_order_relaxed);
    std::int64_t end;
    do {
      end = std::max(free, earliest) + work_ns;
    } while (!free_ns_.compare_exchange_weak(free, end, std::memory_order_relaxed));
    return end;
  }

  // When the last work ends. Not while others book on a clock with steps.
  std::int64_t free_ns() const { return at_step(free_ns_.load(std::memory_order_relaxed)); }

 private:
  // Rare (a disk's transfers), so a lock may keep the two numbers together.
  std::int64_t book_stepped(std::int64_t now_ns, std::int64_t work_ns) {
    const std::lock_guard lock(stepped_);
    std::int64_t free = free_ns_.load(std::memory_order_relaxed);
    if (at_step(free) <= now_ns - burst_ns_) first_step_ns_ = now_ns;
    // What an earlier step left over is lost when the next one comes.
    const std::int64_t steps = std::max<std::int64_t>(0, now_ns - first_step_ns_) / step_ns_;
    free = std::max(free, first_step_ns_ + steps * step_ns_ - burst_ns_);
    free_ns_.store(free + work_ns, std::memory_order_relaxed);
    return at_step(free + work_ns);
  }

  std::int64_t at_step(std::int64_t end_ns) const {
    if (step_ns_ == 0 || end_ns <= first_step_ns_) return end_ns;
    const std::int64_t steps = (end_ns - first_step_ns_ + step_ns_ - 1) / step_ns_;
    return first_step_ns_ + steps * step_ns_;
  }

  std::atomic<std::int64_t> free_ns_{0};
  std::int64_t burst_ns_;
  std::int64_t step_ns_ = 0;
  std::int64_t first_step_ns_ = 0;
  std::mutex stepped_;
};

struct Charge {
  AccessKind kind = AccessKind::kRead;
  AccessPattern pattern = AccessPattern::kSequential;
  std::uint64_t transactions = 0;  // of the device's granularity
  std::uint64_t dependent = 0;     // accesses that wait for one another
  std::uint64_t independent = 0;   // accesses that the core overlaps
  // Beginnings of files, where nothing had been read ahead: each waits for FileStart::wait_ns().
  std::uint64_t starts = 0;
  // Their part of the transactions, and its time by FileStart.
  std::uint64_t start_transactions = 0;
  StartTimes start = {};
  // Reads by themselves: each takes a thread the device's latency beside its bytes.
  std::uint64_t lone_reads = 0;
};

struct Charged {
  std::int64_t deadline_ns = 0;      // when the device has moved this, and all before it
  std::int64_t one_thread_ns = 0;    // what one thread alone takes for it at least; 0: no such cap
  std::int64_t alone_ns = 0;         // what the idle device takes for it, of one thread alone
  std::int64_t latency_ns = 0;       // the device's: dependent x L + independent x L / MLP
  std::int64_t latency_debt_ns = 0;  // what the device's is above the host's
  // The device's time for the dependent accesses, and the host's for the same.
  std::int64_t dependent_ns = 0;
  std::int64_t dependent_host_ns = 0;
};

// When something is charged, and how many times as long its transfers take then by what other
// devices of the socket take from this one's bandwidth.
struct Moment {
  Moment(std::int64_t now, double slow = 1) : now_ns(now), others_slow(slow) {}
  std::int64_t now_ns;
  double others_slow;
};

// How many times as long transfers take where others take this share of the bandwidth, of which
// something is always left.
inline double slowdown_of(double taken_share) {
  constexpr double kTakenMost = 0.95;
  return 1 / (1 - std::min(taken_share, kTakenMost));
}

struct MediaBytes {
  std::uint64_t read = 0;
  std::uint64_t written = 0;
};

class DeviceAccount {
 public:
  // Requires: the profile has no near cache (such a device has two accounts).
  DeviceAccount(DeviceProfile profile, const HostCalibration& host);

  const DeviceProfile& profile() const { return profile_; }

  // Begins a query: computes rates for the number of threads; all clocks are free. burst_ns: how
  // long before its report a transfer may have begun. keep_credits: credits spent by earlier
  // queries remain spent. keep_clocks: other processes use the device: what they have booked stays.
  struct Begin {
    double threads = 1;
    std::int64_t now_ns = 0;
    std::int64_t burst_ns = 0;
    bool keep_credits = false;
    bool keep_clocks = false;
  };
  void begin(const Begin& begin);

  // The time of a file's first bytes, for begin()'s number of threads.
  const FileStart& file_start() const { return file_start_; }

  Charged charge(const Charge& charge, const Moment& moment);

  // What this device takes of the bandwidth of others now, or would take at this load: a share.
  double taken_share() const { return taken_share(clocks_.load.gb_s()); }
  double taken_share(double gb_s) const;

  // Moved since begin(), in whole transactions.
  MediaBytes media_bytes() const;

  // When everything charged is done; no earlier than begin()'s now.
  std::int64_t busy_until_ns() const;

 private:
  struct Rate {
    double bytes = 0;          // of the device's time, a transaction
    double device_ns = 0;      // a transaction
    double one_thread_ns = 0;  // a transaction
    double alone_ns = 0;       // a transaction
    double iops_ns = 0;        // a transaction
    double latency_ns = 0;     // an access that is waited for, at rest
    double host_ns = 0;        // the host's own for the same
  };

  Rate rate_of(AccessKind kind, AccessPattern pattern, double threads) const;
  std::int64_t book_credits(const Charge& charge, const Rate& rate, std::int64_t now_ns);

  DeviceProfile profile_;
  HostCalibration host_;
  FileStart file_start_;
  std::array<std::array<Rate, 2>, 2> rates_;  // [AccessKind][AccessPattern]
  // One device for all processes that are forked from here on.
  struct Clocks {
    std::array<VirtualClock, 2> transfer;  // one if reads and writes share the device
    VirtualClock operations;
    VirtualClock instance;
    VirtualClock credits_refill;
    VirtualClock credits_burst;
    RecentLoad load;
  };
  SharedArray<Clocks> shared_{1};
  Clocks& clocks_ = shared_[0];
  bool follows_load_;  // some figure depends on it
  bool credits_begun_ = false;
  std::int64_t begin_ns_ = 0;
  std::array<ShardedCount, 2> transactions_;
};

}  // namespace hdbench::pmem
