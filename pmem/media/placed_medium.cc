#include "pmem/media/placed_medium.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <utility>

#include "engine/base/check.h"
#include "pmem/base/medium_spec.h"
#include "pmem/media/emulated_medium.h"

namespace hdbench::pmem {

// Which bytes of placed columns are held, and whose they are.
class PlacedStore::Owners : public std::enable_shared_from_this<Owners> {
 public:
  // A keep-alive around the bytes' own, which forgets the owner before the bytes themselves go.
  std::shared_ptr<const void> add(std::span<const std::byte> bytes, Store* store,
                                  std::shared_ptr<const void> keep_alive) {
    const std::unique_lock lock(mutex_);
    by_begin_[bytes.data()] = {bytes.data() + bytes.size(), store};
    return {bytes.data(), [owners = shared_from_this(),
                           keep_alive = std::move(keep_alive)](const std::byte* begin) {
              const std::unique_lock forgetting(owners->mutex_);
              owners->by_begin_.erase(begin);
            }};
  }
  // Null: none of them.
  Store* find(const std::byte* address) const {
    const std::shared_lock lock(mutex_);
    auto after = by_begin_.upper_bound(address);
    if (after == by_begin_.begin()) return nullptr;
    const Owned& owned = std::prev(after)->second;
    return address < owned.end ? owned.store : nullptr;
  }

 private:
  struct Owned {
    const std::byte* end = nullptr;
    Store* store = nullptr;
  };
  mutable std::shared_mutex mutex_;
  std::map<const std::byte*, Owned> by_begin_;
};

PlacedStore::PlacedStore(std::shared_ptr<Store> rest, std::vector<Placed> placed)
    : rest_(std::move(rest)), placed_(std::move(placed)), owners_(std::make_shared<Owners>()) {}

PlacedStore::~PlacedStore() = default;

Store* PlacedStore::store_of(const std::filesystem::path& column) const {
  Store* store = nullptr;
  int closest = 0;
  for (const Placed& placed : placed_) {
    const int close = closeness(placed.choice, placed.newest, column);
    if (close > closest) store = placed.store.get();
    closest = std::max(closest, close);
  }
  return store;
}

Store& PlacedStore::owner_of(const std::byte* address) const {
  Store* const owner = owners_->find(address);
  return owner != nullptr ? *owner : *rest_;
}

Result<Mapping> PlacedStore::map(const std::filesystem::path& path) {
  Store* const store = store_of(path);
  if (store == nullptr) return rest_->map(path);
  HDB_ASSIGN(Mapping mapping, store->map(path));
  if (mapping.bytes.empty()) return mapping;
  mapping.keep_alive = owners_->add(mapping.bytes, store, std::move(mapping.keep_alive));
  return mapping;
}

Result<Region> PlacedStore::allocate_for(const std::filesystem::path& column, std::size_t bytes) {
  Store* const store = store_of(column);
  if (store == nullptr) return rest_->allocate_for(column, bytes);
  HDB_ASSIGN(Region region, store->allocate_for(column, bytes));
  if (region.bytes.empty()) return region;
  region.keep_alive = owners_->add(region.bytes, store, std::move(region.keep_alive));
  return region;
}

void PlacedStore::copy_in(std::byte* destination, std::span<const std::byte> source) {
  owner_of(destination).copy_in(destination, source);
}

bool PlacedStore::will_need(std::span<const std::byte> bytes) {
  return !bytes.empty() && owner_of(bytes.data()).will_need(bytes);
}

namespace {

std::string columns_text(const std::vector<std::string>& columns) {
  return fmt::format("{}", fmt::join(columns, ", "));
}

class PlacedMedium final : public Medium {
 public:
  PlacedMedium(std::unique_ptr<Medium> rest, std::vector<PlacedPart> parts,
               const std::vector<std::string>& partitions)
      : rest_(*rest), parts_(std::move(parts)) {
    std::vector<PlacedStore::Placed> placed;
    for (const PlacedPart& part : parts_) {
      for (const std::string& column : part.columns) {
        auto choice = parse_column_choice(column);
        HDB_CHECK(choice.ok(), "columns that are placed have been checked");
        const std::size_t newest = std::min(choice->newest, partitions.size());
        placed.push_back(
            {std::move(*choice),
             {partitions.end() - static_cast<std::ptrdiff_t>(newest), partitions.end()},
             part.medium->store()});
      }
    }
    store_ = std::make_shared<PlacedStore>(rest_.store(), std::move(placed));
    parts_.insert(parts_.begin(), PlacedPart{{"all other columns"}, std::move(rest)});
  }

  std::string name() const override { return rest_.name(); }
  bool emulated() const override {
    return std::any_of(parts_.begin(), parts_.end(),
                       [](const PlacedPart& part) { return part.medium->emulated(); });
  }
  bool has_cache() const override {
    return std::any_of(parts_.begin(), parts_.end(),
                       [](const PlacedPart& part) { return part.medium->has_cache(); });
  }
  bool copies_into_memory() const override {
    return std::all_of(parts_.begin(), parts_.end(),
                       [](const PlacedPart& part) { return part.medium->copies_into_memory(); });
  }
  std::string label() const override {
    std::string text = rest_.label();
    for (const PlacedPart& part : std::span(parts_).subspan(1)) {
      text += fmt::format("; {} on {}: {}", columns_text(part.columns), part.medium->name(),
                          part.medium->label());
    }
    return text;
  }
  std::string note() const override {
    std::string text;
    for (const PlacedPart& part : parts_) {
      const std::string note = part.medium->note();
      if (!note.empty()) text += (text.empty() ? "" : "\n") + note;
    }
    return text;
  }
  std::vector<Medium*> parts() override {
    std::vector<Medium*> media;
    for (const PlacedPart& part : parts_) media.push_back(part.medium.get());
    return media;
  }
  std::shared_ptr<Store> store() override { return store_; }
  std::pmr::memory_resource& results() override { return rest_.results(); }

  Result<CacheProof> prepare(Cache cache) override {
    if (cache == Cache::kCold && !has_cache()) {
      return usage_error(name() + ": neither it nor a column's medium has a cold state; use warm");
    }
    CacheProof sum;
    for (Medium* medium : parts()) {
      const bool stays = cache == Cache::kCold && !medium->has_cache();
      HDB_ASSIGN(const CacheProof proof, medium->prepare(stays ? Cache::kWarm : cache));
      if (stays) continue;
      sum.bytes_total += proof.bytes_total;
      sum.bytes_resident += proof.bytes_resident;
      if (proof.bytes_in_huge_pages) {
        sum.bytes_in_huge_pages = sum.bytes_in_huge_pages.value_or(0) + *proof.bytes_in_huge_pages;
      }
    }
    return sum;
  }

  void let_pages_go() override {
    for (Medium* const medium : parts()) medium->let_pages_go();
  }

  Result<PlacementProof> verify_placement() override {
    PlacementProof whole;
    for (const PlacedPart& part : parts_) {
      HDB_TRY(add_proof(columns_text(part.columns), *part.medium, whole));
    }
    return whole;
  }

 private:
  static Status add_proof(const std::string& columns, Medium& medium, PlacementProof& whole) {
    auto proof = medium.verify_placement();
    if (!proof.ok()) {
      return Error{proof.error().kind, columns + ": " + proof.error().message, {}};
    }
    proof->part = fmt::format("{} on {}", columns, medium.name());
    const auto join = [](std::string& to, const std::string& more) {
      if (!more.empty()) to += (to.empty() ? "" : "; ") + more;
    };
    join(whole.claim, proof->claim.empty() ? "" : fmt::format("{}: {}", columns, proof->claim));
    if (whole.how.find(proof->how) == std::string::npos) join(whole.how, proof->how);
    join(whole.unknown, proof->unknown);
    whole.bytes_total += proof->bytes_total;
    whole.bytes_where_promised += proof->bytes_where_promised;
    whole.parts.push_back(std::move(*proof));
    return ok_status();
  }

  Medium& rest_;
  std::vector<PlacedPart> parts_;  // the rest first
  std::shared_ptr<PlacedStore> store_;
};

}  // namespace

std::string to_text(const std::vector<ColumnPlace>& places) {
  std::string text;
  for (const ColumnPlace& place : places) {
    text += fmt::format("{}{}={}", text.empty() ? "" : "; ", fmt::join(place.columns, ","),
                        place.medium);
  }
  return text;
}

std::unique_ptr<Medium> compose_media(std::unique_ptr<Medium> rest, std::vector<PlacedPart> parts,
                                      const std::vector<std::string>& partitions) {
  return std::make_unique<PlacedMedium>(std::move(rest), std::move(parts), partitions);
}

Result<std::unique_ptr<Medium>> make_placed_medium(const std::string& word,
                                                   const std::vector<ColumnPlace>& places,
                                                   const MediumOptions& options) {
  if (places.empty()) return make_medium(word, options);
  MediumOptions together = options;
  const bool any_emulated =
      is_emulated(word) || std::any_of(places.begin(), places.end(), [](const ColumnPlace& place) {
        return is_emulated(place.medium);
      });
  if (any_emulated && !together.emulation.meter) {
    together.emulation.meter = make_shared_meter(options.emulation);
  }
  HDB_ASSIGN(std::unique_ptr<Medium> rest, make_medium(word, together));
  std::vector<PlacedPart> parts;
  for (const ColumnPlace& place : places) {
    // One word is one device.
    const auto same = std::find_if(parts.begin(), parts.end(), [&](const PlacedPart& part) {
      return part.medium->name() == place.medium;
    });
    if (same != parts.end()) {
      same->columns.insert(same->columns.end(), place.columns.begin(), place.columns.end());
      continue;
    }
    auto medium = make_medium(place.medium, together);
    if (!medium.ok()) {
      return Error{
          medium.error().kind,
          fmt::format("--place {}: {}", columns_text(place.columns), medium.error().message),
          {}};
    }
    parts.push_back({place.columns, std::move(*medium)});
  }
  return compose_media(std::move(rest), std::move(parts), options.partitions);
}

}  // namespace hdbench::pmem
