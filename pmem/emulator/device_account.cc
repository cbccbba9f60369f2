#include "pmem/emulator/device_account.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/check.h"

namespace hdbench::pmem {
namespace {

void note_bandwidth(const char* what, double device_gb_s, const BandwidthCurve& host,
                    double threads, std::vector<std::string>& limits) {
  if (!host.known() || device_gb_s <= host.at(threads)) return;
  limits.push_back(fmt::format("{} {:.4g} GB/s at {:.4g} threads, but this host has {:.4g} GB/s",
                               what, device_gb_s, threads, host.at(threads)));
}

void note_latency(const char* what, double device_ns, double host_ns,
                  std::vector<std::string>& limits) {
  if (device_ns == 0 || host_ns == 0 || device_ns >= host_ns) return;
  limits.push_back(
      fmt::format("{} {:.4g} ns, but this host takes {:.4g} ns", what, device_ns, host_ns));
}

// GB/s are bytes a nanosecond.
double file_ns(std::uint64_t bytes, double gb_s) { return static_cast<double>(bytes) / gb_s; }

StartTimes scaled(double factor, const StartTimes& a_byte) {
  return {factor * a_byte.one_thread_ns, factor * a_byte.device_ns};
}

// GB/s: what the disk gives when enough of such files are requested at once. Fewer threads may
// reach it as well: what is read around a page goes on after its thread has left.
double best_gb_s(const BandwidthCurve& read) {
  double most = 0;
  for (const BandwidthPoint& point : read.points) most = std::max(most, point.gb_s);
  return most;
}

constexpr double kSecondNs = 1e9;

// To the nearest, of what is not negative: some are worked out for every charge.
std::int64_t to_ns(double ns) {
  const auto whole = static_cast<std::int64_t>(ns);
  return ns - static_cast<double>(whole) < 0.5 ? whole : whole + 1;
}

// GB/s are bytes a nanosecond.
double ns_for(double bytes, double gb_s) { return gb_s > 0 ? bytes / gb_s : 0; }

}  // namespace

double host_access_ns(const HostCalibration& host, AccessKind kind, AccessPattern pattern) {
  if (kind == AccessKind::kWrite) return 0;
  const bool sequential = pattern == AccessPattern::kSequential && host.sequential_ns > 0;
  return sequential ? host.sequential_ns : host.chase_ns;
}

std::vector<std::string> host_limits(const DeviceProfile& device, const HostCalibration& host,
                                     double threads) {
  std::vector<std::string> limits;
  if (device.near_cache) {
    for (const DeviceProfile* tier : {&device.near_cache->near, &device.near_cache->far}) {
      for (const std::string& line : host_limits(*tier, host, threads)) {
        limits.push_back(fmt::format("{}: {}", tier->name, line));
      }
    }
    return limits;
  }
  constexpr auto kSequential = AccessPattern::kSequential;
  note_bandwidth("read", device.curve(AccessKind::kRead, kSequential).at(threads), host.read,
                 threads, limits);
  note_bandwidth("write", device.curve(AccessKind::kWrite, kSequential).at(threads), host.write,
                 threads, limits);
  note_latency("read latency", device.access_ns(AccessKind::kRead, AccessPattern::kRandom),
               host_access_ns(host, AccessKind::kRead, AccessPattern::kRandom), limits);
  return limits;
}

FileStart::FileStart(const DeviceProfile& profile, StartTimes stream_a_byte)
    : stream_a_byte_(stream_a_byte), wait_ns_(profile.latency.read_random_ns) {
  if (profile.small_files.empty()) return;
  const SmallFiles& least = profile.small_files.front();
  const double least_ns = file_ns(least.bytes, least.read.at(1));
  const double as_stream = static_cast<double>(least.bytes) * stream_a_byte.one_thread_ns;
  wait_ns_ = std::clamp(least_ns - as_stream, 0.0, wait_ns_);
  Point last;
  double device_gb_s = 0;  // of this size or a smaller one: fewer threads may have read the larger
  for (const SmallFiles& size : profile.small_files) {
    const StartTimes fastest = scaled(static_cast<double>(size.bytes - last.bytes), stream_a_byte);
    device_gb_s = std::max(device_gb_s, best_gb_s(size.read));
    const StartTimes measured{file_ns(size.bytes, size.read.at(1)) - wait_ns_,
                              file_ns(size.bytes, device_gb_s)};
    last = {size.bytes,
            {std::max(measured.one_thread_ns, last.until.one_thread_ns + fastest.one_thread_ns),
             std::max(measured.device_ns, last.until.device_ns + fastest.device_ns)}};
    points_.push_back(last);
  }
}

StartTimes FileStart::until(std::uint64_t bytes) const {
  Point left;
  for (const Point& right : points_) {
    if (bytes <= right.bytes) {
      const double share =
          static_cast<double>(bytes - left.bytes) / static_cast<double>(right.bytes - left.bytes);
      const auto between = [&](double a, double b) { return a + share * (b - a); };
      return {between(left.until.one_thread_ns, right.until.one_thread_ns),
              between(left.until.device_ns, right.until.device_ns)};
    }
    left = right;
  }
  const StartTimes rest = scaled(static_cast<double>(bytes - left.bytes), stream_a_byte_);
  return {left.until.one_thread_ns + rest.one_thread_ns, left.until.device_ns + rest.device_ns};
}

StartTimes FileStart::between(std::uint64_t begin, std::uint64_t end) const {
  const StartTimes from = until(begin);
  const StartTimes to = until(end);
  return {to.one_thread_ns - from.one_thread_ns, to.device_ns - from.device_ns};
}

double FileStart::page_ns(std::uint64_t window_bytes) const {
  const std::uint64_t piece = points_.empty() ? window_bytes : points_.front().bytes;
  return std::max(until(window_bytes).one_thread_ns / 2,
                  until(std::min(window_bytes, piece)).one_thread_ns);
}

DeviceAccount::DeviceAccount(DeviceProfile profile, const HostCalibration& host)
    : profile_(std::move(profile)),
      host_(host),
      follows_load_(!profile_.loaded_latency.empty() || !profile_.mix_points.empty() ||
                    profile_.interference_share > 0) {
  HDB_CHECK(!profile_.near_cache, "an account is of one device");
  begin({});
  credits_begun_ = false;
}

// What a transaction of this kind and pattern costs while so many threads use the device: worked
// out once a query, so that a charge only multiplies.
DeviceAccount::Rate DeviceAccount::rate_of(AccessKind kind, AccessPattern pattern,
                                           double threads) const {
  const BandwidthCurve& curve = profile_.curve(kind, pattern);
  const bool random = pattern == AccessPattern::kRandom;
  Rate rate;
  rate.bytes = profile_.granularity_bytes;
  if (random) rate.bytes = std::max(rate.bytes, static_cast<double>(profile_.random_cost_bytes));
  rate.device_ns = ns_for(rate.bytes, curve.at(threads));
  rate.one_thread_ns = ns_for(rate.bytes, curve.one_thread_gb_s);
  const double iops = profile_.iops[static_cast<int>(kind)];
  if (random && iops > 0) rate.iops_ns = kSecondNs / iops;
  rate.alone_ns = std::max({rate.one_thread_ns, ns_for(rate.bytes, curve.at(1)), rate.iops_ns,
                            ns_for(profile_.granularity_bytes, profile_.instance_gb_s)});
  rate.latency_ns = profile_.access_ns(kind, pattern);
  // A thread that waits for a file's start has nothing in flight.
  const bool starts = kind == AccessKind::kRead && !random && !profile_.small_files.empty();
  if (starts) rate.one_thread_ns = rate.alone_ns;
  rate.host_ns = host_access_ns(host_, kind, pattern);
  return rate;
}

// Resets the clocks of everything that threads share: transfers, operations, the instance, credits.
// Credits alone may go on from one query to the next, as a volume's bucket does.
void DeviceAccount::begin(const Begin& begin) {
  begin_ns_ = begin.now_ns;
  for (const AccessKind kind : {AccessKind::kRead, AccessKind::kWrite}) {
    for (const AccessPattern pattern : {AccessPattern::kSequential, AccessPattern::kRandom}) {
      rates_[static_cast<int>(kind)][static_cast<int>(pattern)] =
          rate_of(kind, pattern, begin.threads);
    }
    transactions_[static_cast<int>(kind)].reset();
  }
  const Rate& stream =
      rates_[static_cast<int>(AccessKind::kRead)][static_cast<int>(AccessPattern::kSequential)];
  file_start_ =
      FileStart(profile_, {stream.alone_ns / stream.bytes, stream.device_ns / stream.bytes});
  for (VirtualClock* clock : {&clocks_.transfer[0], &clocks_.transfer[1], &clocks_.operations,
                              &clocks_.instance, &clocks_.credits_burst}) {
    clock->set_burst(begin.burst_ns);
    if (!begin.keep_clocks) clock->reset(begin.now_ns);
  }
  if (!begin.keep_clocks) clocks_.load.reset(begin.now_ns);
  if (!profile_.credits) return;
  const double full_ns = profile_.credits->capacity / profile_.credits->refill_per_s * kSecondNs;
  clocks_.credits_refill.set_burst(to_ns(full_ns));
  const bool in_steps = profile_.credits->refill == CreditBucket::Refill::kSteps;
  clocks_.credits_refill.set_step(in_steps ? to_ns(full_ns) : 0);
  if (!begin.keep_credits || !credits_begun_)
    clocks_.credits_refill.reset(begin.now_ns - to_ns(full_ns));
  credits_begun_ = true;
}

std::int64_t DeviceAccount::book_credits(const Charge& charge, const Rate& rate,
                                         std::int64_t now_ns) {
  const CreditBucket& bucket = *profile_.credits;
  const auto transactions = static_cast<double>(charge.transactions);
  const bool by_bytes = bucket.unit == CreditBucket::Unit::kBytes;
  if (!by_bytes && charge.pattern == AccessPattern::kSequential) return begin_ns_;
  const double used = by_bytes ? transactions * rate.bytes : transactions;
  const auto refilled =
      clocks_.credits_refill.book(now_ns, to_ns(used / bucket.refill_per_s * kSecondNs));
  // What waits for a step cannot be moved before it.
  const bool in_steps = bucket.refill == CreditBucket::Refill::kSteps;
  const std::int64_t begins_ns = in_steps ? std::max(now_ns, refilled) : now_ns;
  const auto burst =
      clocks_.credits_burst.book(begins_ns, to_ns(used / bucket.burst_per_s * kSecondNs));
  return std::max(refilled, burst);
}

// Books one access on every shared clock; the device is done when the last of them is
// (deadline_ns). What the access costs its own thread alone comes beside: its transfer, and the
// latencies that nothing hides.
Charged DeviceAccount::charge(const Charge& charge, const Moment& moment) {
  const std::int64_t now_ns = moment.now_ns;
  const Rate& rate = rates_[static_cast<int>(charge.kind)][static_cast<int>(charge.pattern)];
  const auto transactions = static_cast<double>(charge.transactions);
  transactions_[static_cast<int>(charge.kind)].add(charge.transactions);
  // Reads and writes share one clock unless the link carries both ways at once.
  const int clock = profile_.mix == MixRule::kDuplex ? static_cast<int>(charge.kind) : 0;
  Charged result;
  RecentLoad& load = clocks_.load;
  if (follows_load_) {
    load.add(charge.kind, charge.transactions * profile_.granularity_bytes, now_ns);
  }
  // A charge of a mix's gain at this moment adds up to the mix's own rate over all of it.
  const double gain = profile_.mix_points.empty() ? 1 : profile_.mix_gain(load.read_share());
  const double slow = moment.others_slow / gain;
  // A device that others slow down is as loaded as one that moves as much more.
  const double latency_factor = profile_.loaded_over_idle(load.gb_s() * moment.others_slow);
  const auto of_starts = static_cast<double>(charge.start_transactions);
  const double device_ns =
      (transactions - of_starts) * rate.device_ns * slow + charge.start.device_ns;
  result.deadline_ns = clocks_.transfer[clock].book(now_ns, to_ns(device_ns));
  if (rate.iops_ns > 0) {
    result.deadline_ns = std::max(
        result.deadline_ns, clocks_.operations.book(now_ns, to_ns(transactions * rate.iops_ns)));
  }
  if (profile_.instance_gb_s > 0) {
    const double bytes = transactions * profile_.granularity_bytes;
    result.deadline_ns =
        std::max(result.deadline_ns,
                 clocks_.instance.book(now_ns, to_ns(ns_for(bytes, profile_.instance_gb_s))));
  }
  if (profile_.credits) {
    result.deadline_ns = std::max(result.deadline_ns, book_credits(charge, rate, now_ns));
  }
  // Independent accesses overlap: as many are in flight as the device or the core allows.
  const double waits = static_cast<double>(charge.dependent) +
                       static_cast<double>(charge.independent) / profile_.mlp;
  const double starts_ns = charge.start.one_thread_ns +
                           static_cast<double>(charge.starts) * file_start_.wait_ns() +
                           static_cast<double>(charge.lone_reads) * profile_.latency.read_random_ns;
  result.one_thread_ns = to_ns((transactions - of_starts) * rate.one_thread_ns + starts_ns);
  result.alone_ns = to_ns((transactions - of_starts) * rate.alone_ns + starts_ns);
  const double latency_ns = rate.latency_ns * latency_factor;
  const double host_ns = std::min(latency_ns, rate.host_ns);
  result.latency_ns = to_ns(waits * latency_ns);
  result.latency_debt_ns = to_ns(waits * (latency_ns - host_ns));
  const auto dependent = static_cast<double>(charge.dependent);
  result.dependent_ns = to_ns(dependent * latency_ns);
  result.dependent_host_ns = to_ns(dependent * host_ns);
  return result;
}

double DeviceAccount::taken_share(double gb_s) const {
  if (profile_.interference_share == 0) return 0;
  const Rate& stream =
      rates_[static_cast<int>(AccessKind::kRead)][static_cast<int>(AccessPattern::kSequential)];
  const double most = stream.bytes / stream.device_ns;
  return profile_.interference_share * std::min(1.0, gb_s / most);
}

MediaBytes DeviceAccount::media_bytes() const {
  const std::uint64_t size = profile_.granularity_bytes;
  return {transactions_[0].sum() * size, transactions_[1].sum() * size};
}

std::int64_t DeviceAccount::busy_until_ns() const {
  std::int64_t until = begin_ns_;
  for (const VirtualClock* clock :
       {&clocks_.transfer[0], &clocks_.transfer[1], &clocks_.operations, &clocks_.instance,
        &clocks_.credits_burst, &clocks_.credits_refill}) {
    if (clock == &clocks_.credits_refill && !profile_.credits) continue;
    until = std::max(until, clock->free_ns());
  }
  return until;
}

}  // namespace hdbench::pmem
