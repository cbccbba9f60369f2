#include "bench/model/axes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <type_traits>

#include "pmem/base/medium_spec.h"

namespace hdbench::bench {
namespace {

constexpr std::uint64_t kThreadsMax = 4096;
constexpr std::uint64_t kMibMax = std::numeric_limits<std::uint64_t>::max() >> 20;

template <typename T>
void append_once(std::vector<T>& values, T value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) {
    values.push_back(std::move(value));
  }
}

Result<std::uint64_t> number_of(std::string_view flag, std::string_view text, std::uint64_t max,
                                std::string_view also) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number > max) {
    return usage_error(
        fmt::format("{}: '{}' is not a number from 0 to {}{}", flag, text, max, also));
  }
  return number;
}

Result<std::size_t> threads_of(std::string_view text, std::size_t all_threads) {
  if (text == "all") return all_threads;
  HDB_ASSIGN(const std::uint64_t number,
             number_of("-s", text, kThreadsMax, ", all, or a range such as 1..all"));
  return std::max<std::size_t>(1, number);
}

template <auto kMember>
std::string word_of(const Setting& setting) {
  const auto& value = setting.*kMember;
  using T = std::decay_t<decltype(value)>;
  if constexpr (std::is_same_v<T, std::string>) return value;
  if constexpr (std::is_enum_v<T>) return std::string(word(value));
  if constexpr (std::is_integral_v<T>) return std::to_string(value);
}

template <auto kMember>
Status set_word(const Axis& axis, Setting& setting, std::string_view text) {
  auto& value = setting.*kMember;
  using T = std::decay_t<decltype(value)>;
  if constexpr (std::is_same_v<T, std::string>) value = text;
  if constexpr (std::is_enum_v<T>) {
    HDB_ASSIGN(value, parse_word<T>(axis.flag, text));
  }
  if constexpr (std::is_integral_v<T>) {
    HDB_ASSIGN(value, number_of(axis.flag, text, axis.number_max,
                                axis.number_max == kMibMax ? " MiB" : ""));
  }
  return ok_status();
}

template <auto kMember>
constexpr Axis axis(std::string_view name, std::string_view flag, std::string_view key,
                    Axis::Shown shown = Axis::Shown::kAlways, bool is_own = false,
                    std::uint64_t number_max = 0) {
  return {name, flag, key, shown, is_own, number_max, word_of<kMember>, set_word<kMember>};
}

using enum Axis::Shown;
constexpr Axis kAxes[] = {
    axis<&Setting::medium>("medium", "--medium", "medium_word"),
    axis<&Setting::layout>("layout", "--layout", "layout"),
    axis<&Setting::attr>("attr", "--attr", "attr"),
    axis<&Setting::mode>("mode", "--mode", "mode", kAlways, true),
    axis<&Setting::threads>("threads", "-s", "threads", kAlways, false, kThreadsMax),
    axis<&Setting::cache>("cache", "--cache", "cache"),
    axis<&Setting::limit_mib>("limit", "-w", "limit_mib", kAlways, false, kMibMax),
    axis<&Setting::codes>("codes", "--codes", "codes", kAlways, true),
    axis<&Setting::prefetch>("prefetch", "--prefetch", "prefetch", kUnlessUsual, true),
    axis<&Setting::compressed>("compressed", "--compressed", "", kUnlessUsual, true),
    axis<&Setting::place>("place", "", "place", kUnlessUsual),
    axis<&Setting::results>("results", "", "results", kUnlessUsual),
    axis<&Setting::spill>("spill", "", "", kUnlessUsual),
    axis<&Setting::volume>("volume", "", "volume", kUnlessUsual),
    axis<&Setting::emulation>("emulation", "", "", kUnlessUsual),
    axis<&Setting::ranks>("ranks", "", "ranks", kUnlessUsual),
    axis<&Setting::dataset>("data", "", "", kUnlessUsual)};

}  // namespace

std::size_t rank_count(const Setting& setting) {
  const auto count = number_of("", setting.ranks, kThreadsMax, "");
  return count.ok() ? std::max<std::size_t>(1, *count) : 1;
}

std::span<const Axis> axes() { return kAxes; }

const Axis& axis_of(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kAxes), std::end(kAxes),
                                         [&](const Axis& one) { return one.name == name; });
  HDB_CHECK(found != std::end(kAxes), "no axis of this name");
  return *found;
}

Result<LimitRule> parse_limit_rule(std::string_view text) {
  constexpr std::string_view kSpillTo = "spill=";
  LimitRule rule;
  if (!text.starts_with(kSpillTo)) {
    HDB_ASSIGN(rule.what, parse_word<OnLimit>("--on-limit", text));
    if (rule.what == OnLimit::kSpill) rule.spill = kSpillFile;
    return rule;
  }
  rule = {OnLimit::kSpill, std::string(text.substr(kSpillTo.size()))};
  if (rule.spill == kSpillFile) return rule;
  const Status fits = check_result_medium("--on-limit spill", rule.spill);
  return fits.ok() ? Result<LimitRule>(std::move(rule)) : fits.error();
}

Status check_result_medium(std::string_view flag, const std::string& medium) {
  const auto spec = parse_medium_spec(medium);
  if (!spec.ok()) return usage_error(fmt::format("{}: {}", flag, spec.error().message));
  if (spec->name != "nvme") return ok_status();
  return usage_error(fmt::format(
      "{}: {}: a disk holds no results, memory does: expected one of dram, tmpfs, app-direct, "
      "memory-mode, cxl, numa:N (--on-limit spill=file writes to a disk what -w leaves no space "
      "for)",
      flag, medium));
}

Error unknown_word(std::string_view flag, std::string_view text,
                   const std::vector<std::string_view>& known) {
  return usage_error(
      fmt::format("{}: unknown value '{}': known are {}", flag, text, fmt::join(known, ", ")));
}

Result<std::vector<std::string>> parse_words(std::string_view flag, std::string_view list) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  while (begin <= list.size()) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (end == begin) {
      return usage_error(fmt::format("{}: an empty value in '{}'", flag, list));
    }
    append_once(words, std::string(list.substr(begin, end - begin)));
    begin = end + 1;
  }
  return words;
}

Result<std::vector<std::size_t>> parse_threads(std::string_view list, std::size_t all_threads) {
  HDB_ASSIGN(const auto texts, parse_words("-s", list));
  std::vector<std::size_t> values;
  for (const std::string& text : texts) {
    const std::size_t dots = text.find("..");
    if (dots == std::string::npos) {
      HDB_ASSIGN(const std::size_t threads, threads_of(text, all_threads));
      append_once(values, threads);
      continue;
    }
    HDB_ASSIGN(const std::size_t first, threads_of(text.substr(0, dots), all_threads));
    HDB_ASSIGN(const std::size_t last, threads_of(text.substr(dots + 2), all_threads));
    if (first > last) {
      return usage_error(
          fmt::format("-s: the range '{}' goes from {} down to {}: give the fewest "
                      "threads first",
                      text, first, last));
    }
    const bool is_doubled = text.ends_with("all");
    for (std::size_t threads = first; threads < last;
         threads = is_doubled ? std::bit_floor(2 * threads) : threads + 1)
      append_once(values, threads);
    append_once(values, last);
  }
  return values;
}

Result<std::vector<std::string>> parse_axis(const Axis& axis, std::string_view list,
                                            std::size_t all_threads) {
  std::vector<std::string> words;
  if (axis.name == "threads") {
    HDB_ASSIGN(const std::vector<std::size_t> counts, parse_threads(list, all_threads));
    for (const std::size_t count : counts) words.push_back(std::to_string(count));
    return words;
  }
  HDB_ASSIGN(words, parse_words(axis.flag, list));
  Setting checked;
  for (const std::string& word : words) HDB_TRY(axis.set(axis, checked, word));
  return words;
}

std::string query_label(int id) { return fmt::format("Q{:02}", id); }

std::string setting_name(const Setting& setting) {
  const Setting usual;
  std::string name;
  for (const Axis& axis : kAxes) {
    const std::string word = axis.word(setting);
    if (axis.shown == kUnlessUsual && word == axis.word(usual)) continue;
    name += fmt::format("{}{}:{}", name.empty() ? "" : "/", axis.name, word);
  }
  return name;
}

}  // namespace hdbench::bench
