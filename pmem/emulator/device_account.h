// One device's account: the bytes moved, the time until which the device is busy, and the cost of
// latency.
//
// Rates are computed when a query begins, for its number of threads; a charge takes a few
// multiplications and one compare-and-swap for each clock. Thread-safe.
#pragma once

#include <array>
#include <cstdint>

#include "pmem/emulator/device_profile.h"
#include "pmem/emulator/file_start.h"
#include "pmem/emulator/host_calibration.h"
#include "pmem/emulator/sharded_count.h"
#include "pmem/emulator/virtual_clock.h"

namespace hdbench::pmem {

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
  // queries remain spent.
  struct Begin {
    double threads = 1;
    std::int64_t now_ns = 0;
    std::int64_t burst_ns = 0;
    bool keep_credits = false;
  };
  void begin(const Begin& begin);

  // The time of a file's first bytes, for begin()'s number of threads.
  const FileStart& file_start() const { return file_start_; }

  Charged charge(const Charge& charge, std::int64_t now_ns);

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
    double latency_ns = 0;     // an access that is waited for
    double latency_debt_ns = 0;
  };

  Rate rate_of(AccessKind kind, AccessPattern pattern, double threads) const;
  std::int64_t book_credits(const Charge& charge, const Rate& rate, std::int64_t now_ns);

  DeviceProfile profile_;
  HostCalibration host_;
  FileStart file_start_;
  std::array<std::array<Rate, 2>, 2> rates_;  // [AccessKind][AccessPattern]
  std::array<VirtualClock, 2> transfer_;      // one if reads and writes share the device
  VirtualClock operations_;
  VirtualClock instance_;
  VirtualClock credits_refill_;
  VirtualClock credits_burst_;
  bool credits_begun_ = false;
  std::int64_t begin_ns_ = 0;
  std::array<ShardedCount, 2> transactions_;
};

}  // namespace hdbench::pmem
