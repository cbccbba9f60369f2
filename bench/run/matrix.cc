#include "bench/run/matrix.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/base/lines.h"
#include "bench/model/time_budget.h"
#include "bench/run/placement_notes.h"
#include "engine/base/store.h"
#include "pmem/media/emulated_medium.h"

namespace hdbench::bench {
namespace {

// The axis' words that this placement can have.
std::vector<std::string> possible_words(std::string_view axis, const AxisLists& lists,
                                        const PlacementFacts& facts,
                                        std::vector<std::string>& left_out) {
  std::vector<std::string> words = lists.of(axis);
  if (axis == "cache") {
    std::sort(words.begin(), words.end());  // cold comes first
    if (!facts.has_cache) words = {"warm"};
  }
  if (axis == "attr" && !facts.has_parted_column && std::erase(words, "parted") != 0) {
    left_out.push_back(
        fmt::format("attr:parted, layout:{}: no column of it carries p#", word(facts.layout)));
  }
  if (axis == "prefetch" && !facts.has_cache) {
    if (words != std::vector<std::string>{"off"}) {
      left_out.push_back(fmt::format(
          "prefetch:on, medium:{}: it has no device behind it to read ahead from", facts.medium));
    }
    words = {"off"};
  }
  return words;
}

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

const std::vector<std::string> kAsIs = {"asis"};

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
    auto layouts = lists_.of("layout").empty() ? default_layouts(has_cache) : lists_.of("layout");
    if (session_.ranks() != nullptr && std::erase(layouts, word(Layout::kFlat)) != 0)
      add_once(list_.left_out, "layout:flat: several ranks share partitions");
    for (const std::string& layout : layouts) {
      for (const std::string& codes : lists_.of("codes")) {
        // Flat tables and narrow codes are copies of what is unpacked.
        const bool is_copy = layout == word(Layout::kFlat) || codes == word(Codes::kNarrow);
        for (const std::string& compressed : is_copy ? kAsIs : lists_.of("compressed")) {
          add({name, *parse_word<Layout>("--layout", layout), has_cache, false,
               *parse_word<Codes>("--codes", codes),
               *parse_word<Compressed>("--compressed", compressed)});
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
      setting.spill = options.limit_rule.spill;
      if (session_.ranks() != nullptr) setting.ranks = std::to_string(session_.ranks()->count());
      if (options.media.emulation.mode != EmulationMode::kWall && is_charged(facts.medium)) {
        setting.emulation = word(options.media.emulation.mode);
      }
    }
    if (!facts.has_cache && lists_.of("cache") == std::vector<std::string>{"cold"}) {
      add_once(list_.left_out,
               fmt::format("cache:cold, medium:{}: memory has no cold state, its cells are warm",
                           facts.medium));
    }
    list_.placements.push_back({std::move(facts), std::move(cells.settings)});
  }

  // Whether a device profile has a part in its cells' times.
  bool is_charged(const std::string& medium) const {
    const SessionOptions& options = session_.options();
    return is_emulated(medium) || is_emulated(options.result_medium) ||
           is_emulated(options.limit_rule.spill) ||
           std::any_of(options.places.begin(), options.places.end(),
                       [](const ColumnPlace& place) { return is_emulated(place.medium); });
  }

  Session& session_;
  const AxisLists& lists_;
  bool parted_;
  PlacementList list_;
};

}  // namespace

const std::vector<std::string>& AxisLists::of(std::string_view axis) const {
  static const std::vector<std::string> none;
  const auto found = words.find(axis);
  return found == words.end() ? none : found->second;
}

std::vector<std::size_t> AxisLists::threads() const {
  std::vector<std::size_t> counts;
  for (const std::string& word : of("threads")) counts.push_back(std::stoul(word));
  return counts;
}

namespace {
const std::string kNoLimit = "0";
}  // namespace

Result<AxisLists> axis_lists(const std::map<std::string, std::string>& words,
                             std::size_t all_threads) {
  AxisLists lists;
  for (const auto& [name, list] : words) {
    if (list.empty() && name == "layout") continue;
    // Without -w cells are named as without a limit: what is left bounds them.
    const std::string& words_of_axis = list.empty() && name == "limit" ? kNoLimit : list;
    HDB_ASSIGN(lists.words[name], parse_axis(axis_of(name), words_of_axis, all_threads));
  }
  return lists;
}

std::vector<std::string> default_layouts(bool has_cache) {
  if (has_cache) return {"partitioned"};
  return {"partitioned", "flat"};
}

PlacementCells expand(const AxisLists& lists, const PlacementFacts& facts) {
  std::vector<const Axis*> order{&axis_of("cache"), &axis_of("limit")};
  for (const Axis& axis : axes()) {
    const bool is_placements = axis.name == "medium" || axis.name == "layout" ||
                               axis.name == "codes" || axis.name == "compressed";
    if (axis.flag.empty() || is_placements) continue;
    if (axis.name != "cache" && axis.name != "limit") order.push_back(&axis);
  }
  Setting first;
  first.medium = facts.medium;
  first.layout = facts.layout;
  first.codes = facts.codes;
  first.compressed = facts.compressed;
  first.dataset = lists.dataset;
  first.volume = lists.volume;
  PlacementCells cells{{first}, {}};
  for (const Axis* axis : order) {
    const auto words = possible_words(axis->name, lists, facts, cells.left_out);
    std::vector<Setting> settings;
    for (const Setting& setting : cells.settings) {
      for (const std::string& word : words) {
        settings.push_back(setting);
        HDB_CHECK(axis->set(*axis, settings.back(), word).ok(), "axis_lists() checked the words");
      }
    }
    cells.settings = std::move(settings);
  }
  return cells;
}

bool PlannedPlacement::has_cold() const {
  return std::any_of(settings.begin(), settings.end(),
                     [](const Setting& setting) { return setting.cache == Cache::kCold; });
}

std::string PlannedPlacement::title() const {
  return fmt::format("{} {}{}{}", medium, word(layout), codes == Codes::kNarrow ? " narrow" : "",
                     compressed == Compressed::kUnpacked ? " unpacked" : "");
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
