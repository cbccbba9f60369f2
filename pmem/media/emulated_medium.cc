#include "pmem/media/emulated_medium.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "pmem/base/free_room.h"
#include "pmem/media/copy_store.h"
#include "pmem/media/media_list.h"
#include "pmem/memory/cache_state.h"
#include "pmem/memory/huge_memory.h"
#include "pmem/memory/mapping_registry.h"
#include "pmem/memory/region_heap.h"

namespace hdbench::pmem {
namespace {

// A processor caches more than that itself.
constexpr std::uint64_t kNearCacheMin = std::uint64_t{1} << 20;

// A device of a meter, for as long as anything lies on it.
class MeteredDevice : public std::enable_shared_from_this<MeteredDevice> {
 public:
  MeteredDevice(std::shared_ptr<EmulatedMeter> meter, std::size_t number)
      : meter_(std::move(meter)), number_(number) {}
  ~MeteredDevice() { meter_->remove_device(number_); }
  MeteredDevice(const MeteredDevice&) = delete;
  MeteredDevice& operator=(const MeteredDevice&) = delete;

  const std::shared_ptr<EmulatedMeter>& meter() const { return meter_; }
  std::size_t number() const { return number_; }

  // The same region; accesses to it are charged while it is held.
  Region charged(const Region& region) const {
    if (region.bytes.empty()) return region;
    meter_->add_region(region.bytes.data(), region.bytes.size(), number_);
    return {region.bytes,
            std::shared_ptr<const void>(
                region.bytes.data(),
                [device = shared_from_this(), keep_alive = region.keep_alive](
                    const std::byte* begin) { device->meter_->remove_region(begin); })};
  }

 private:
  std::shared_ptr<EmulatedMeter> meter_;
  std::size_t number_;
};
using Device = std::shared_ptr<const MeteredDevice>;

RegionSource charged_source(const Device& device) {
  return [device](std::size_t bytes) -> Result<Region> {
    HDB_ASSIGN(const Region region, map_huge_memory(bytes));
    return device->charged(region);
  };
}

// A disk's files, each a region of its own: its page cache reads ahead as far as a file goes.
class FileStore final : public CopyStore {
 public:
  explicit FileStore(Device device) : CopyStore(map_huge_memory), device_(std::move(device)) {}

 private:
  Region hand_out(const Region& piece) override {
    return device_->charged(CopyStore::hand_out(piece));
  }

  Device device_;
};

class ProfiledMedium final : public EmulatedMedium {
 public:
  ProfiledMedium(MediumSpec word, const EmulatedDeviceSetup& setup, EmulationOptions options,
                 Device device)
      : word_(std::move(word)),
        profile_(setup.profile),
        near_cache_bytes_(setup.near_cache_bytes),
        options_(std::move(options)),
        device_(std::move(device)),
        source_(tracked(charged_source(device_), mapped_)),
        results_(source_) {
    if (profile_.kind == DeviceKind::kBlock) {
      store_ = std::make_shared<FileStore>(device_);
    } else {
      store_ = std::make_shared<CopyStore>(source_);
    }
  }

  std::string name() const override { return to_text(word_); }
  bool emulated() const override { return true; }
  std::string label() const override {
    std::string how(word(options_.mode));
    if (const auto near = word_.options.find("near");
        near != word_.options.end() && near->second.ends_with('%')) {
      how += fmt::format(", near {} = {:.1f} MiB", near->second, mib(near_cache_bytes_));
    }
    if (is_shared()) how += ", interleave " + word_.options.at("interleave");
    if (has_local()) how += " with " + word_.options.at("local");
    return fmt::format("emulated ({}, {})", profile_.name, how);
  }
  std::string note() const override {
    if (profile_.near_cache) return {};
    const bool has_writes = profile_.curves[static_cast<int>(AccessKind::kWrite)][0].known();
    const bool has_latency = profile_.latency.read_random_ns > 0;
    std::string text;
    if (!has_writes || !has_latency) {
      text =
          fmt::format("{}: the profile has {}{}{}", name(),
                      has_writes ? "" : "no figure for writes: they are charged as reads",
                      has_writes || has_latency ? "" : "; ",
                      has_latency   ? ""
                      : has_cache() ? "no latency: none is charged, and no ratio of cold figures "
                                      "to a real medium is given"
                                    : "no latency of reads at random: none is charged");
    }
    if (is_shared() && !has_local()) {
      text += fmt::format(
          "{}{}: this host reads the pages of both sides from its own memory: what both give "
          "together beyond that memory's bandwidth is not shown",
          text.empty() ? "" : "\n", name());
    }
    return text;
  }
  bool has_cache() const override { return profile_.kind == DeviceKind::kBlock; }
  std::shared_ptr<Store> store() override { return store_; }
  std::pmr::memory_resource& results() override { return results_; }

  Result<CacheProof> prepare(Cache cache) override {
    if (cache == Cache::kCold && !has_cache()) {
      return usage_error(name() + ": memory has no cold state; use warm");
    }
    HDB_ASSIGN(CacheProof proof, make_warm(store_->held()));
    if (cache == Cache::kCold) {
      device_->meter()->drop_caches(device_->number());
      proof.bytes_resident = 0;  // of the emulated page cache
    } else {
      device_->meter()->fill_caches(device_->number());
    }
    return proof;
  }

  // The bytes lie in this machine's DRAM; what is promised is who is charged for them.
  Result<PlacementProof> verify_placement() override {
    ByteSpans spans = spans_of(mapped_->live());
    if (has_cache()) {
      for (const auto span : spans_of(store_->held())) spans.push_back(span);
    }
    PlacementProof proof = count_placement(spans);
    proof.claim = is_shared() ? fmt::format("pages shared {} between this host and {}",
                                            word_.options.at("interleave"), profile_.name)
                              : "every byte charged to " + profile_.name;
    proof.how = "the emulator's regions";
    std::uint64_t bytes = 0;
    std::uint64_t charged_bytes = 0;
    for (const auto span : spans) {
      if (span.empty()) continue;
      bytes += span.size();
      if (is_charged(&span.front()) && is_charged(&span.back())) charged_bytes += span.size();
    }
    if (charged_bytes < bytes) {
      return data_error(fmt::format("{}: {} of {} bytes are charged to nobody", name(),
                                    bytes - charged_bytes, bytes));
    }
    if (profile_.near_cache && profile_.near_cache->policy == NearPolicy::kExclusive &&
        bytes > 2 * near_cache_bytes_) {
      return data_error(
          fmt::format("{}: {} bytes, but near and far memory of {} bytes each hold {}", name(),
                      bytes, near_cache_bytes_, 2 * near_cache_bytes_));
    }
    // Room that nobody has accesses yet lies nowhere.
    if (!proof.unknown.empty()) proof.bytes_total = bytes;
    proof.bytes_where_promised = proof.bytes_total;
    return proof;
  }

  std::shared_ptr<EmulatedMeter> meter() override { return device_->meter(); }
  const std::string& profile() const override { return profile_.name; }
  EmulationMode mode() const override { return options_.mode; }
  std::uint64_t near_cache_bytes() const override { return near_cache_bytes_; }
  std::uint64_t column_bytes() const override {
    std::uint64_t bytes = 0;
    for (const auto span : spans_of(store_->held())) bytes += span.size();
    return bytes;
  }
  std::vector<std::string> host_limits(std::size_t threads) const override {
    return pmem::host_limits(profile_, options_.host, static_cast<double>(threads));
  }

 private:
  static double mib(std::uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }
  bool is_shared() const { return word_.options.contains("interleave"); }
  bool has_local() const { return word_.options.contains("local"); }
  bool is_charged(const std::byte* byte) const {
    return device_->meter()->charges(byte, device_->number());
  }

  MediumSpec word_;
  DeviceProfile profile_;
  std::uint64_t near_cache_bytes_;
  EmulationOptions options_;
  Device device_;
  // Results, and the columns of a memory.
  std::shared_ptr<MappingRegistry> mapped_ = std::make_shared<MappingRegistry>();
  RegionSource source_;
  std::shared_ptr<CopyStore> store_;
  RegionHeap results_;
};

Error wrong_medium(const MediumSpec& word, std::string_view why) {
  return usage_error(fmt::format("{}: {}", to_text(word), why));
}

// Requires a profile with a near cache.
Status check_near_bytes(const MediumSpec& word, std::uint64_t bytes) {
  if (bytes == 0) {
    MediumSpec sized = word;
    sized.options["near"] = kMemoryModeNear;
    return wrong_medium(word, fmt::format("how large is the near cache? e.g. {}", to_text(sized)));
  }
  if (bytes >= kNearCacheMin && bytes <= NearCache::kBytesMax) return ok_status();
  return wrong_medium(word, fmt::format("a near cache of {} bytes, expected 1 MiB to {} TiB", bytes,
                                        NearCache::kBytesMax >> 40));
}

// The bytes of the near cache that the word asks for; 0: it says nothing.
Result<std::uint64_t> near_bytes_of(const MediumSpec& word, std::uint64_t data_bytes) {
  const auto near = word.options.find("near");
  if (near == word.options.end()) return std::uint64_t{0};
  HDB_ASSIGN(const NearSize size, parse_near(near->second));
  if (size.share == 0) return size.bytes;
  if (data_bytes == 0) {
    return wrong_medium(
        word, "a share of the data, and there are none: expected a size, such as near=2GiB");
  }
  const double bytes = size.share * static_cast<double>(data_bytes);
  return std::max(kNearCacheMin, static_cast<std::uint64_t>(bytes));
}

Result<EmulatedDeviceSetup> setup_of(const MediumSpec& word, const DeviceProfile& profile,
                                     std::uint64_t data_bytes) {
  EmulatedDeviceSetup setup;
  setup.profile = profile;
  setup.has_page_cache = profile.kind == DeviceKind::kBlock;
  if (const auto interleave = word.options.find("interleave"); interleave != word.options.end()) {
    const auto ratio = parse_interleave(interleave->second);
    if (!ratio.ok()) return wrong_medium(word, ratio.error().message);
    setup.interleave = {static_cast<std::uint64_t>(ratio->local),
                        static_cast<std::uint64_t>(ratio->far)};
  }
  if (const auto local = word.options.find("local"); local != word.options.end()) {
    HDB_ASSIGN(setup.local, load_profile(local->second));
  }
  if (word.options.contains("near") && !profile.near_cache) {
    return wrong_medium(word, fmt::format("near: {} has no near cache", profile.name));
  }
  HDB_ASSIGN(setup.near_cache_bytes, near_bytes_of(word, data_bytes));
  if (word.name == "memory-mode" && !profile.near_cache) {
    return wrong_medium(word, fmt::format("{} has no near cache; e.g. {}:near={}", profile.name,
                                          word.name, kMemoryModeNear));
  }
  if (profile.near_cache) {
    if (setup.near_cache_bytes == 0) setup.near_cache_bytes = profile.near_cache->cache_bytes;
    HDB_TRY(check_near_bytes(word, setup.near_cache_bytes));
  }
  for (const Status& fine :
       {EmulatedDevice::check(setup), EmulatedDevice::check_memory(setup, available_memory())}) {
    if (fine.ok()) continue;
    Error error = fine.error();
    error.message = fmt::format("{}: {}", to_text(word), error.message);
    return error;
  }
  return setup;
}

Status check_kind(const MediumSpec& word, const DeviceProfile& profile) {
  const bool wants_block = word.name == "nvme";
  if (wants_block != (profile.kind == DeviceKind::kBlock)) {
    return wrong_medium(word, fmt::format("{} is a {} device, and {} is {}", profile.name,
                                          wants_block ? "memory" : "block", word.name,
                                          wants_block ? "a disk" : "memory"));
  }
  if (profile.medium.empty() || profile.medium == word.name) return ok_status();
  if (profile.medium == kNearMedium) {
    return wrong_medium(word, fmt::format("{} is DRAM, the near memory of other profiles, and no "
                                          "device of {}",
                                          profile.name, word.name));
  }
  MediumSpec right = word;
  right.name = profile.medium;
  right.options.clear();
  return wrong_medium(word, fmt::format("{} is a device of {}: write {}", profile.name,
                                        profile.medium, to_text(right)));
}

Result<DeviceProfile> profile_of(const MediumSpec& word) {
  const bool is_memory_mode = word.name == "memory-mode";
  HDB_ASSIGN(
      DeviceProfile profile,
      load_profile(word.profile.empty() && is_memory_mode ? kMemoryModeProfile : word.profile));
  HDB_TRY(check_kind(word, profile));
  return profile;
}

}  // namespace

bool is_emulated(std::string_view medium) {
  const auto word = parse_medium_spec(medium);
  return word.ok() && is_emulated(*word);
}

bool is_emulated(const MediumSpec& word) {
  return !word.profile.empty() || (word.name == "memory-mode" && word.options.contains("near"));
}

Status check_emulated(const MediumSpec& word) {
  HDB_ASSIGN(const DeviceProfile profile, profile_of(word));
  // Any size stands in for a share of data that are not known yet.
  const Result<EmulatedDeviceSetup> setup = setup_of(word, profile, kNearCacheMin);
  return setup.ok() ? ok_status() : setup.error();
}

Result<EmulatedDeviceSetup> emulated_setup(const MediumSpec& word,
                                           const EmulationOptions& options) {
  HDB_ASSIGN(DeviceProfile profile, profile_of(word));
  if (profile.kind == DeviceKind::kBlock && profile.read_around_bytes == 0) {
    profile.read_around_bytes = options.read_around_bytes;
  }
  return setup_of(word, profile, options.data_bytes);
}

Result<std::unique_ptr<EmulatedMedium>> make_emulated(const MediumSpec& word,
                                                      const EmulationOptions& options) {
  HDB_ASSIGN(const EmulatedDeviceSetup setup, emulated_setup(word, options));
  const auto meter = options.meter ? options.meter : make_shared_meter(options);
  HDB_ASSIGN(const std::size_t number, meter->add_device(setup));
  EmulationOptions own = options;
  own.meter.reset();
  return std::unique_ptr<EmulatedMedium>(std::make_unique<ProfiledMedium>(
      word, setup, std::move(own), std::make_shared<MeteredDevice>(meter, number)));
}

EmulatedMedium* as_emulated(Medium& medium) { return dynamic_cast<EmulatedMedium*>(&medium); }

}  // namespace hdbench::pmem
