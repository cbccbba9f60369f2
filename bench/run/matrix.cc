#include "bench/run/matrix.h"

#include <fmt/format.h>

#include <algorithm>

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

std::vector<std::optional<std::uint64_t>> AxisLists::readaheads() const {
  std::vector<std::optional<std::uint64_t>> values;
  for (const std::string& word : of("readahead")) values.emplace_back(std::stoull(word));
  if (values.empty()) values.emplace_back();
  return values;
}

namespace {
const std::string kNoLimit = "0";
}  // namespace

Result<AxisLists> axis_lists(const std::map<std::string, std::string>& words,
                             std::size_t all_threads) {
  AxisLists lists;
  for (const auto& [name, list] : words) {
    if (list.empty() && (name == "layout" || name == "readahead")) continue;
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
                               axis.name == "codes" || axis.name == "readahead";
    if (axis.flag.empty() || is_placements) continue;
    if (axis.name != "cache" && axis.name != "limit") order.push_back(&axis);
  }
  Setting first;
  first.medium = facts.medium;
  first.layout = facts.layout;
  first.codes = facts.codes;
  first.readahead_kib = facts.readahead_kib;
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

}  // namespace hdbench::bench
