#include "pmem/emulator/emulated_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <span>

namespace hdbench::pmem {
namespace {

constexpr std::uint64_t kLineBytes = 64;
// A read of no more by itself is a row or a few, which nothing reads ahead of.
constexpr std::uint64_t kPageBytes = 4096;

std::uint64_t divided_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

SelectedElements selection_of(const Access& access) {
  return {access.address, access.elements, access.element_bytes, access.selected};
}

struct AccessedLines {
  std::uint64_t lines = 0;
  AccessPattern pattern = AccessPattern::kSequential;
};

// Counts the device's lines that an access needs, and decides whether they form a stream. The
// selection's bits are not walked if the run's own count shows that every line of 64 bytes is
// accesses, or if the device's lines are those.
AccessedLines accessed_lines(const Access& access, const SelectedElements& selection,
                             std::uint32_t granularity) {
  const std::uint64_t extent = lines_of_extent(selection, granularity);
  AccessedLines accessed{extent, AccessPattern::kSequential};
  const bool all =
      access.selected == nullptr || access.bytes >= access.elements * access.element_bytes;
  if (!all) {
    accessed.lines = granularity == kLineBytes
                         ? std::min(extent, divided_up(access.bytes, kLineBytes))
                         : lines_selected(selection, granularity);
  }
  // From half of the lines on, prefetchers fetch all of them: a stream. Dependent accesses are
  // never part of a stream.
  if (accessed.lines * 2 < extent || access.dependent_accesses * 2 > accessed.lines) {
    accessed.pattern = AccessPattern::kRandom;
  }
  return accessed;
}

Charge charge_of(const Access& access, const AccessedLines& accessed, std::uint64_t transactions) {
  Charge charge{access.kind, accessed.pattern, transactions, access.dependent_accesses, 0};
  // Only random reads wait for latency: stores are posted, and streams are prefetched.
  const bool waited_for =
      accessed.pattern == AccessPattern::kRandom && access.kind == AccessKind::kRead;
  if (waited_for) charge.independent = accessed.lines - std::min(accessed.lines, charge.dependent);
  return charge;
}

void add_charge(Charged& sum, const Charged& other) {
  sum.deadline_ns = std::max(sum.deadline_ns, other.deadline_ns);
  sum.one_thread_ns += other.one_thread_ns;
  sum.alone_ns += other.alone_ns;
  sum.latency_ns += other.latency_ns;
  sum.latency_debt_ns += other.latency_debt_ns;
  sum.dependent_ns += other.dependent_ns;
  sum.dependent_host_ns += other.dependent_host_ns;
}

// Counts the device's lines that an access needs of the pages that lie on the device.
std::uint64_t shared_lines(const Access& access, const SelectedElements& selection,
                           const PageInterleave& interleave, std::uint32_t granularity) {
  const auto begin = reinterpret_cast<std::uintptr_t>(access.address);
  const std::uintptr_t end = begin + access.elements * access.element_bytes;
  const bool all =
      access.selected == nullptr || access.bytes >= access.elements * access.element_bytes;
  if (all) return divided_up(interleave.far_bytes(begin, end), granularity);
  const std::uint64_t unit = std::min<std::uint64_t>(granularity, kPlacedBlockBytes) / kLineBytes;
  const std::uint64_t unit_mask = unit == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << unit) - 1;
  std::uint64_t lines = 0;
  for (std::uintptr_t page = begin & ~(kPlacedBlockBytes - 1); page < end;
       page += kPlacedBlockBytes) {
    if (!interleave.is_far(page)) continue;
    const std::uint64_t mask = line_mask_of_page(selection, page);
    for (std::uint64_t at = 0; at < 64 && mask >> at != 0; at += unit) {
      if ((mask >> at & unit_mask) != 0) ++lines;
    }
  }
  return lines;
}

// Looks up the accessed blocks of a region in the near cache and returns the traffic. Only blocks
// whose set is sampled (region.followed) are looked up.
NearTransactions look_up(NearCache& cache, const Access& access, const SelectedElements& selection,
                         const EmulatedRegion& region) {
  const auto begin = reinterpret_cast<std::uintptr_t>(access.address);
  const std::uintptr_t last = begin + access.elements * access.element_bytes - 1;
  const std::uintptr_t first_block = region.begin / kPlacedBlockBytes;
  const std::uint64_t end =
      std::min<std::uint64_t>(last / kPlacedBlockBytes - first_block + 1, region.blocks.size());
  NearTransactions moved;
  struct Expected {
    PlacedBlock block;
    std::uint64_t mask = 0;
  };
  // Blocks are announced, then looked up in groups of 16, so that the tags are prefetched
  // meanwhile.
  std::array<Expected, 16> expected;
  std::size_t count = 0;
  const auto look_up_expected = [&] {
    for (const Expected& one : std::span(expected).first(count))
      cache.access(one.block, {access.kind, one.mask, access.selected == nullptr}, moved);
    count = 0;
  };
  std::uint64_t i = begin / kPlacedBlockBytes - first_block;
  while (i < end) {
    // The followed blocks from i on in this word of 64.
    const std::uint64_t ahead = region.followed[i / 64] >> i % 64;
    if (ahead == 0) {
      i = (i / 64 + 1) * 64;
      continue;
    }
    i += static_cast<std::uint64_t>(std::countr_zero(ahead));
    if (i >= end) break;
    // The lines of the block that hold a selected element.
    const std::uint64_t mask = line_mask_of_page(selection, (first_block + i) * kPlacedBlockBytes);
    if (mask != 0) {
      cache.expect(region.blocks[i], mask);
      expected[count++] = {region.blocks[i], mask};
      if (count == expected.size()) look_up_expected();
    }
    ++i;
  }
  look_up_expected();
  return moved;
}

// Requires a near cache.
NearCache::Shape shape_of(const EmulatedDeviceSetup& setup) {
  const NearCacheProfile& profile = *setup.profile.near_cache;
  const std::uint64_t bytes =
      setup.near_cache_bytes > 0 ? setup.near_cache_bytes : profile.cache_bytes;
  return {bytes, profile.line_bytes, bytes > NearCache::kExactBytesMax, profile.policy};
}

}  // namespace

EmulatedDevice::EmulatedDevice(const EmulatedDeviceSetup& setup, const HostCalibration& host)
    : name_(setup.profile.name),
      far_(setup.profile.near_cache ? setup.profile.near_cache->far : setup.profile, host),
      has_page_cache_(setup.has_page_cache && !setup.profile.near_cache),
      interleave_(setup.interleave) {
  if (setup.local) near_ = std::make_unique<DeviceAccount>(*setup.local, host);
  if (!setup.profile.near_cache) return;
  const NearCacheProfile& profile = *setup.profile.near_cache;
  near_ = std::make_unique<DeviceAccount>(profile.near, host);
  line_bytes_ = profile.line_bytes;
  cache_ = std::make_unique<NearCache>(shape_of(setup));
  memory_ = std::make_unique<PhysicalMemory>(setup.placement, cache_->sets());
}

Status EmulatedDevice::check(const EmulatedDeviceSetup& setup) {
  if (setup.interleave.is_shared() && (setup.profile.near_cache || setup.has_page_cache)) {
    return usage_error(
        fmt::format("{}: interleave is of memory without a near cache", setup.profile.name));
  }
  const bool is_local_memory = setup.local && setup.local->kind == DeviceKind::kMemory &&
                               !setup.local->near_cache && setup.interleave.is_shared();
  if (setup.local && !is_local_memory) {
    return usage_error(
        fmt::format("{}: local: expected memory without a near cache, beside an "
                    "interleave",
                    setup.local->name));
  }
  if (!setup.profile.near_cache) return ok_status();
  const std::uint64_t bytes = shape_of(setup).cache_bytes;
  if (bytes < NearCache::kBytesMin || bytes > NearCache::kBytesMax) {
    return usage_error(fmt::format("{}: a near cache of {} bytes, expected {} to {}",
                                   setup.profile.name, bytes, NearCache::kBytesMin,
                                   NearCache::kBytesMax));
  }
  const PlacementRule& rule = setup.placement;
  if (rule.placement != PagePlacement::kRandom || rule.physical_bytes >= rule.page_bytes) {
    return ok_status();
  }
  return usage_error(
      fmt::format("{}: pages placed at random in {} bytes of memory, expected "
                  "a page ({} bytes) or more",
                  setup.profile.name, rule.physical_bytes, rule.page_bytes));
}

Status EmulatedDevice::check_memory(const EmulatedDeviceSetup& setup,
                                    std::optional<std::uint64_t> available_bytes) {
  if (!setup.profile.near_cache || !available_bytes) return ok_status();
  const NearCache::Shape shape = shape_of(setup);
  const std::uint64_t tags = NearCache::tag_bytes(shape);
  if (tags <= *available_bytes / 4) return ok_status();
  const auto mebibytes = [](std::uint64_t bytes) { return bytes >> 20; };
  return data_error(fmt::format(
      "{}: a near cache of {} MiB: following it takes {} MiB of this host's memory, expected a "
      "quarter of the {} MiB available at most",
      setup.profile.name, mebibytes(shape.cache_bytes), mebibytes(tags),
      mebibytes(*available_bytes)));
}

Result<std::unique_ptr<EmulatedDevice>> EmulatedDevice::make(const EmulatedDeviceSetup& setup,
                                                             const HostCalibration& host) {
  HDB_TRY(check(setup));
  return std::unique_ptr<EmulatedDevice>(new EmulatedDevice(setup, host));
}

EmulatedRegion EmulatedDevice::place(std::uintptr_t begin, std::uintptr_t end,
                                     std::uint32_t device) {
  EmulatedRegion region{begin, end, device, {}};
  if (has_page_cache_) {
    const DeviceProfile& disk = far_.profile();
    // The page cache reads whole windows around a fault, at least a unit of the device.
    region.windows = std::make_shared<PageWindows>(
        end - begin, std::max<std::uint64_t>(disk.granularity_bytes, disk.read_around_bytes));
  }
  if (memory_) {
    // Simulated physical addresses, and a bitmap of the blocks that the cache follows.
    region.blocks = memory_->place((end - 1) / kPlacedBlockBytes - begin / kPlacedBlockBytes + 1);
    region.followed.resize((region.blocks.size() + 63) / 64);
    for (std::size_t i = 0; i < region.blocks.size(); ++i) {
      if (cache_->follows(region.blocks[i].set)) {
        region.followed[i / 64] |= std::uint64_t{1} << i % 64;
      }
    }
  }
  return region;
}

void EmulatedDevice::begin(const DeviceAccount::Begin& begin) {
  far_.begin(begin);
  if (near_) near_->begin(begin);
  lines_.reset();
  hits_.reset();
}

Demand EmulatedDevice::demand(const Access& access, const EmulatedRegion& region,
                              RecentRanges& recent) {
  const SelectedElements selection = selection_of(access);
  if (access.elements == 0 || access.bytes == 0) return {};
  if (cache_) return demand_cached(access, selection, region, recent);
  if (region.windows && access.kind == AccessKind::kRead)
    return demand_windows(access, selection, region);
  if (interleave_.is_shared()) return demand_shared(access, selection);
  const AccessedLines accessed =
      accessed_lines(access, selection, far_.profile().granularity_bytes);
  return {{charge_of(access, accessed, accessed.lines)}, {}};
}

Charged EmulatedDevice::charge(const Demand& demand, const Moment& moment) {
  Charged of_far;
  for (const Charge& charge : demand.far) add_charge(of_far, far_.charge(charge, moment));
  if (demand.near.empty()) return of_far;
  // The device takes from memory beside it, not from that which caches it.
  const double slowed = cache_ ? 1 : slowdown_of(far_.taken_share());
  const Moment near_moment{moment.now_ns, moment.others_slow * slowed};
  Charged sum;
  for (const Charge& charge : demand.near) add_charge(sum, near_->charge(charge, near_moment));
  // Both sides work at the same time.
  const std::int64_t alone_ns = std::max(sum.alone_ns, of_far.alone_ns);
  const std::int64_t one_thread_ns = std::max(sum.one_thread_ns, of_far.one_thread_ns);
  add_charge(sum, of_far);
  sum.alone_ns = alone_ns;
  sum.one_thread_ns = one_thread_ns;
  return sum;
}

Charged EmulatedDevice::access(const Access& access, const EmulatedRegion& region,
                               const Moment& moment, RecentRanges& recent) {
  // Most devices have one charge an access: no list is made for it.
  const bool is_simple =
      !cache_ && !interleave_.is_shared() && (!region.windows || access.kind != AccessKind::kRead);
  if (!is_simple) return charge(demand(access, region, recent), moment);
  if (access.elements == 0 || access.bytes == 0) return {};
  const AccessedLines accessed =
      accessed_lines(access, selection_of(access), far_.profile().granularity_bytes);
  return far_.charge(charge_of(access, accessed, accessed.lines), moment);
}

std::uint64_t EmulatedDevice::own_bytes(const Access& access) const {
  const std::uint64_t extent = access.elements * access.element_bytes;
  if (!interleave_.is_shared() || extent == 0) return access.bytes;
  const auto begin = reinterpret_cast<std::uintptr_t>(access.address);
  const double share = static_cast<double>(interleave_.far_bytes(begin, begin + extent)) /
                       static_cast<double>(extent);
  return static_cast<std::uint64_t>(share * static_cast<double>(access.bytes));
}

Demand EmulatedDevice::demand_shared(const Access& access,
                                     const SelectedElements& selection) const {
  const std::uint32_t granularity = far_.profile().granularity_bytes;
  AccessedLines accessed = accessed_lines(access, selection, granularity);
  const std::uint64_t all = accessed.lines;
  const std::uint64_t far =
      std::min(all, shared_lines(access, selection, interleave_, granularity));
  // Accesses that wait for one another are spread over the pages like the others.
  const auto part = [&](std::uint64_t lines) -> std::vector<Charge> {
    if (lines == 0) return {};
    accessed.lines = lines;
    Access own = access;
    own.dependent_accesses = access.dependent_accesses * lines / all;
    return {charge_of(own, accessed, lines)};
  };
  return {part(far), near_ ? part(all - far) : std::vector<Charge>{}};
}

Demand EmulatedDevice::demand_windows(const Access& access, const SelectedElements& selection,
                                      const EmulatedRegion& region) const {
  PageWindows& windows = *region.windows;
  const std::uint64_t begin = reinterpret_cast<std::uintptr_t>(access.address) - region.begin;
  const std::uint64_t end = begin + access.elements * access.element_bytes;
  const std::uint64_t unit = far_.profile().granularity_bytes;
  const FileStart& file_start = far_.file_start();
  // Nothing is read ahead of pages at random: each waits for its own read, as a mapping's fault
  // does, and has the disk read what a file of a window's size takes. A stream waits at a file's
  // start. Determined by place, so that the charge does not depend on which worker comes first.
  const bool stream =
      end - begin > kPageBytes &&
      accessed_lines(access, selection, kLineBytes).pattern == AccessPattern::kSequential;
  Charge charge{AccessKind::kRead, AccessPattern::kSequential, 0, 0, 0};
  std::uint64_t bytes = 0;
  std::uint64_t start_bytes = 0;
  for (std::uint64_t w = windows.window_of(begin); w < windows.count(); ++w) {
    const std::uint64_t window_begin = windows.begin_of(w);
    if (window_begin >= end) break;
    // Each window is charged once until the page cache is dropped: the first check is cheap, and
    // read() decides between workers.
    if (windows.was_read(w)) continue;
    if (!is_accessed(selection, region.begin + window_begin, windows.bytes_of(w))) continue;
    if (!windows.read(w)) continue;
    const std::uint64_t window = divided_up(windows.bytes_of(w), unit) * unit;
    bytes += window;
    const std::uint64_t from = stream ? window_begin : 0;
    if (from > 0 && from >= file_start.bytes()) continue;
    start_bytes += window;
    const StartTimes times = file_start.between(from, from + window);
    charge.start.one_thread_ns += stream ? times.one_thread_ns : file_start.page_ns(window);
    charge.start.device_ns += times.device_ns;
    if (from == 0) ++(stream ? charge.starts : charge.lone_reads);
  }
  if (bytes == 0) return {};
  charge.transactions = bytes / unit;
  charge.start_transactions = start_bytes / unit;
  return {{charge}, {}};
}

Demand EmulatedDevice::demand_cached(const Access& access, const SelectedElements& selection,
                                     const EmulatedRegion& region, RecentRanges& recent) {
  const auto begin = reinterpret_cast<std::uintptr_t>(access.address);
  const std::uintptr_t end = begin + access.elements * access.element_bytes;
  // What the last-level cache still holds causes no memory traffic.
  if (recent.holds(begin, end)) return {};
  const NearTransactions moved = look_up(*cache_, access, selection, region);
  const AccessedLines accessed = accessed_lines(access, selection, kLineBytes);
  recent.note(begin, end, access.bytes, access.selected == nullptr);
  lines_.add(moved.lines);
  hits_.add(moved.hits);

  const std::uint64_t near_unit = near_->profile().granularity_bytes;
  const std::uint64_t far_unit = far_.profile().granularity_bytes;
  // Misses of a stream share the far device's lines; an isolated miss pays for whole ones.
  const auto far_transactions = [&](std::uint64_t bytes) {
    if (accessed.pattern == AccessPattern::kSequential) return divided_up(bytes, far_unit);
    return bytes / line_bytes_ * divided_up(line_bytes_, far_unit);
  };
  // Every lookup reads the near memory, as its tags are stored with the data: also for writes.
  Charge near_read = charge_of(access, accessed, divided_up(moved.near_read_bytes, near_unit));
  near_read.kind = AccessKind::kRead;
  Demand demand{{}, {near_read}};
  if (moved.near_write_bytes > 0) {
    demand.near.push_back({AccessKind::kWrite, accessed.pattern,
                           divided_up(moved.near_write_bytes, near_unit), 0, 0});
  }
  if (moved.far_read_bytes > 0) {
    // The far device's latency applies to misses only, after the probe of the near memory.
    const std::uint64_t misses = moved.lines - moved.hits;
    const auto missed = [&](std::uint64_t accesses) { return accesses * misses / moved.lines; };
    demand.far.push_back({AccessKind::kRead, accessed.pattern,
                          far_transactions(moved.far_read_bytes), missed(near_read.dependent),
                          missed(near_read.independent)});
  }
  if (moved.far_write_bytes > 0) {
    demand.far.push_back(
        {AccessKind::kWrite, accessed.pattern, far_transactions(moved.far_write_bytes), 0, 0});
  }
  return demand;
}

NearCacheFigures EmulatedDevice::near_figures() const {
  if (!cache_) return {};
  return {near_->media_bytes(), lines_.sum(), hits_.sum()};
}

std::int64_t EmulatedDevice::busy_until_ns() const {
  const std::int64_t far = far_.busy_until_ns();
  return near_ ? std::max(far, near_->busy_until_ns()) : far;
}

double EmulatedDevice::busy_ns(std::int64_t begin_ns, double all_ns, double slowed) const {
  const auto busy_ns = [&](const DeviceAccount& account) {
    return static_cast<double>(account.busy_until_ns() - begin_ns) * slowed;
  };
  const double far_ns = busy_ns(far_);
  if (!near_) return far_ns;
  if (cache_) return std::max(far_ns, busy_ns(*near_));
  const MediaBytes moved = far_.media_bytes();
  const double far_gb_s = static_cast<double>(moved.read + moved.written) / all_ns;
  return std::max(far_ns, busy_ns(*near_) * slowdown_of(far_.taken_share(far_gb_s)));
}

void EmulatedDevice::clear() {
  if (cache_) cache_->clear();
}

}  // namespace hdbench::pmem
