#include "bench/run/matrix.h"

#include <fmt/format.h>

namespace hdbench {
namespace {

std::vector<Cache> caches_of(const AxisLists& lists, const PlacementFacts& facts) {
  if (!facts.has_cache) return {Cache::kWarm};
  std::vector<Cache> caches;
  for (const Cache wanted : {Cache::kCold, Cache::kWarm}) {
    for (const Cache cache : lists.caches) {
      if (cache == wanted) caches.push_back(cache);
    }
  }
  return caches;
}

std::vector<Prefetch> prefetches_of(const AxisLists& lists, const PlacementFacts& facts,
                                    std::vector<std::string>& left_out) {
  if (facts.has_cache) return lists.prefetches;
  if (lists.prefetches != std::vector{Prefetch::kOff}) {
    left_out.push_back(fmt::format(
        "prefetch:on, medium:{}: it has no device behind it to read ahead from", facts.medium));
  }
  return {Prefetch::kOff};
}

}  // namespace

std::vector<Layout> default_layouts(bool has_cache) {
  if (has_cache) return {Layout::kPartitioned};
  return {Layout::kPartitioned, Layout::kFlat};
}

PlacementCells expand(const AxisLists& lists, const PlacementFacts& facts) {
  PlacementCells cells;
  std::vector<AttrUse> attrs;
  for (const AttrUse attr : lists.attrs) {
    if (attr == AttrUse::kNone || facts.has_parted_column) {
      attrs.push_back(attr);
    } else {
      cells.left_out.push_back(
          fmt::format("attr:parted, layout:{}: no column of it carries p#", word(facts.layout)));
    }
  }
  const std::vector<Prefetch> prefetches = prefetches_of(lists, facts, cells.left_out);
  Setting setting;
  setting.medium = facts.medium;
  setting.layout = facts.layout;
  setting.codes = facts.codes;
  setting.dataset = lists.dataset;
  setting.volume = lists.volume;
  for (const Cache cache : caches_of(lists, facts)) {
    setting.cache = cache;
    for (const std::uint64_t limit_mib : lists.limits_mib) {
      setting.limit_mib = limit_mib;
      for (const AttrUse attr : attrs) {
        setting.attr = attr;
        for (const Mode mode : lists.modes) {
          setting.mode = mode;
          for (const std::size_t threads : lists.threads) {
            setting.threads = threads;
            for (const Prefetch prefetch : prefetches) {
              setting.prefetch = prefetch;
              cells.settings.push_back(setting);
            }
          }
        }
      }
    }
  }
  return cells;
}

}  // namespace hdbench
