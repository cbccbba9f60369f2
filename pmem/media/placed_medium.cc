#include "pmem/media/placed_medium.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "pmem/base/medium_spec.h"
#include "pmem/media/emulated_medium.h"
#include "pmem/media/placed_store.h"

namespace hdbench::pmem {
namespace {

std::string columns_text(const std::vector<std::string>& columns) {
  return fmt::format("{}", fmt::join(columns, ", "));
}

class PlacedMedium final : public Medium {
 public:
  PlacedMedium(std::unique_ptr<Medium> rest, std::vector<PlacedPart> parts)
      : rest_(*rest), parts_(std::move(parts)) {
    PlacedStore::ByColumn by_column;
    for (const PlacedPart& part : parts_) {
      for (const std::string& column : part.columns) by_column[column] = part.medium->store();
    }
    store_ = std::make_shared<PlacedStore>(rest_.store(), std::move(by_column));
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

std::unique_ptr<Medium> compose_media(std::unique_ptr<Medium> rest, std::vector<PlacedPart> parts) {
  return std::make_unique<PlacedMedium>(std::move(rest), std::move(parts));
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
  return compose_media(std::move(rest), std::move(parts));
}

}  // namespace hdbench::pmem
