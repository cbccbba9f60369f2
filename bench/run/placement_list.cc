#include "bench/run/placement_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/base/lines.h"
#include "bench/model/time_budget.h"
#include "bench/run/placement_notes.h"
#include "engine/base/store.h"
#include "pmem/media/emulated_medium.h"

namespace hdbench::bench {
namespace {

bool has_parted(const Schema& schema) {
  return std::any_of(schema.fields.begin(), schema.fields.end(),
                     [](const Field& field) { return field.attribute == Attribute::kParted; });
}

// Of a table in partitions. Flat ones are parted by the partition field.
Result<bool> is_parted(Session& session, const std::vector<ListedQuery>& queries) {
  for (const std::string& name : tables_of(queries)) {
    HDB_ASSIGN(const auto table, session.database().table(name, make_page_cache_store()));
    if (has_parted(table->schema())) return true;
  }
  return false;
}

class Lister {
 public:
  Lister(Session& session, const AxisLists& lists, bool parted)
      : session_(session), lists_(lists), parted_(parted) {}

  Status add_medium(const std::string& name) {
    HDB_ASSIGN(const MediumOptions options, session_.media_for(name));
    const auto probe = make_medium(name, options);
    if (!probe.ok() && ends_placement(probe.error())) {
      add_once(list_.left_out, probe.error().message);
      return ok_status();
    }
    if (!probe.ok()) return probe.error();
    const bool has_cache = (*probe)->has_cache();
    const auto layouts =
        lists_.of("layout").empty() ? default_layouts(has_cache) : lists_.of("layout");
    const bool is_disk = has_cache && !is_emulated(name);
    for (const std::string& layout : layouts) {
      for (const std::string& codes : lists_.of("codes")) {
        for (const auto readahead_kib : is_disk ? lists_.readaheads() : AxisLists{}.readaheads()) {
          add({name, *parse_word<Layout>("--layout", layout), has_cache, false,
               *parse_word<Codes>("--codes", codes), readahead_kib});
        }
      }
    }
    return ok_status();
  }

  PlacementList take() { return std::move(list_); }

 private:
  void add(PlacementFacts facts) {
    facts.has_parted_column = facts.layout == Layout::kFlat || parted_;
    PlacementCells cells = expand(lists_, facts);
    for (const std::string& line : cells.left_out) add_once(list_.left_out, line);
    const SessionOptions& options = session_.options();
    for (Setting& setting : cells.settings) {
      setting.place = to_text(options.places);
      setting.results = options.result_medium;
      if (options.media.emulation.mode != EmulationMode::kWall && is_charged(facts.medium)) {
        setting.emulation = word(options.media.emulation.mode);
      }
    }
    if (!facts.has_cache && lists_.of("cache") == std::vector<std::string>{"cold"}) {
      add_once(list_.left_out,
               fmt::format("cache:cold, medium:{}: memory has no cold state, its cells are warm",
                           facts.medium));
    }
    list_.placements.push_back({facts.medium, facts.layout, facts.codes, facts.has_cache,
                                std::move(cells.settings), facts.readahead_kib});
  }

  // Whether a device profile has a part in its cells' times.
  bool is_charged(const std::string& medium) const {
    const SessionOptions& options = session_.options();
    return is_emulated(medium) || is_emulated(options.result_medium) ||
           std::any_of(options.places.begin(), options.places.end(),
                       [](const ColumnPlace& place) { return is_emulated(place.medium); });
  }

  Session& session_;
  const AxisLists& lists_;
  bool parted_;
  PlacementList list_;
};

}  // namespace

bool PlannedPlacement::has_cold() const {
  return std::any_of(settings.begin(), settings.end(),
                     [](const Setting& setting) { return setting.cache == Cache::kCold; });
}

std::string PlannedPlacement::title() const {
  return fmt::format("{} {}{}{}", medium, word(layout), codes == Codes::kNarrow ? " narrow" : "",
                     readahead_kib ? fmt::format(", readahead {} KiB", *readahead_kib) : "");
}

Result<PlacementList> list_placements(Session& session, const std::vector<ListedQuery>& queries,
                                      const AxisLists& lists) {
  HDB_ASSIGN(const bool parted, is_parted(session, queries));
  Lister lister(session, lists, parted);
  for (const std::string& medium : lists.of("medium")) HDB_TRY(lister.add_medium(medium));
  return lister.take();
}

double estimate_of(const PlannedPlacement& placement, std::size_t queries,
                   std::uint64_t table_bytes, const AxisLists& lists, const RepetitionRule& rule) {
  PlacementWork work;
  work.table_bytes = static_cast<double>(table_bytes);
  work.copies = !placement.has_cache || placement.layout == Layout::kFlat;
  for (const Setting& setting : placement.settings) {
    (setting.cache == Cache::kCold ? work.cold_cells : work.warm_cells) += queries;
  }
  work.thread_counts = lists.of("threads").size();
  // How noisy the machine will be nobody knows beforehand: half of the way.
  work.repetitions = rule.precision > 0 ? (rule.least + rule.most + 1) / 2 : rule.least;
  return estimate_s(work);
}

}  // namespace hdbench::bench
