#include "bench/model/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace hdbench {
namespace {

template <typename T>
using Words = std::vector<std::pair<std::string_view, T>>;

const Words<Layout>& layout_words() {
  static const Words<Layout> words{{"partitioned", Layout::kPartitioned}, {"flat", Layout::kFlat}};
  return words;
}

const Words<AttrUse>& attr_words() {
  static const Words<AttrUse> words{{"none", AttrUse::kNone}, {"parted", AttrUse::kParted}};
  return words;
}

const Words<Mode>& mode_words() {
  static const Words<Mode> words{{"3.6", Mode::k36}, {"4.0", Mode::k40}};
  return words;
}

const Words<Cache>& cache_words() {
  static const Words<Cache> words{{"cold", Cache::kCold}, {"warm", Cache::kWarm}};
  return words;
}

const Words<Codes>& codes_words() {
  static const Words<Codes> words{{"stored", Codes::kStored}, {"narrow", Codes::kNarrow}};
  return words;
}

const Words<Prefetch>& prefetch_words() {
  static const Words<Prefetch> words{{"off", Prefetch::kOff}, {"on", Prefetch::kOn}};
  return words;
}

const Words<OnLimit>& on_limit_words() {
  static const Words<OnLimit> words{
      {"abort", OnLimit::kAbort}, {"exit", OnLimit::kExit}, {"spill", OnLimit::kSpill}};
  return words;
}

template <typename T>
std::string_view word_of(const Words<T>& words, T value) {
  for (const auto& [text, known] : words) {
    if (known == value) return text;
  }
  HDB_CHECK(false, "an axis value without a word");
  return {};
}

template <typename T>
Result<T> value_of(std::string_view flag, const Words<T>& words, std::string_view text) {
  std::string known;
  for (const auto& [candidate, value] : words) {
    if (candidate == text) return value;
    known += known.empty() ? "" : ", ";
    known += candidate;
  }
  return usage_error(fmt::format("{}: unknown value '{}': known are {}", flag, text, known));
}

template <typename T>
void append_once(std::vector<T>& values, T value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) {
    values.push_back(std::move(value));
  }
}

template <typename T>
Result<std::vector<T>> values_of(std::string_view flag, const Words<T>& words,
                                 std::string_view list) {
  HDB_ASSIGN(const auto texts, parse_words(flag, list));
  std::vector<T> values;
  for (const std::string& text : texts) {
    HDB_ASSIGN(const T value, value_of(flag, words, text));
    append_once(values, value);
  }
  return values;
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
  constexpr std::uint64_t kThreadsMax = 4096;
  if (text == "all") return all_threads;
  HDB_ASSIGN(const std::uint64_t number,
             number_of("-s", text, kThreadsMax, ", all, or a range such as 1..all"));
  return std::max<std::size_t>(1, number);
}

}  // namespace

std::string_view word(Layout layout) { return word_of(layout_words(), layout); }
std::string_view word(AttrUse attr) { return word_of(attr_words(), attr); }
std::string_view word(Mode mode) { return word_of(mode_words(), mode); }
std::string_view word(Cache cache) { return word_of(cache_words(), cache); }
std::string_view word(Codes codes) { return word_of(codes_words(), codes); }
std::string_view word(Prefetch prefetch) { return word_of(prefetch_words(), prefetch); }
std::string_view word(OnLimit policy) { return word_of(on_limit_words(), policy); }

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

Result<std::vector<Layout>> parse_layouts(std::string_view list) {
  return values_of("--layout", layout_words(), list);
}

Result<std::vector<AttrUse>> parse_attrs(std::string_view list) {
  return values_of("--attr", attr_words(), list);
}

Result<std::vector<Mode>> parse_modes(std::string_view list) {
  return values_of("--mode", mode_words(), list);
}

Result<std::vector<Cache>> parse_caches(std::string_view list) {
  return values_of("--cache", cache_words(), list);
}

Result<std::vector<Codes>> parse_codes(std::string_view list) {
  return values_of("--codes", codes_words(), list);
}

Result<std::vector<Prefetch>> parse_prefetches(std::string_view list) {
  return values_of("--prefetch", prefetch_words(), list);
}

Result<OnLimit> parse_on_limit(std::string_view word) {
  return value_of("--on-limit", on_limit_words(), word);
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
    for (std::size_t threads = first; threads <= last; ++threads) append_once(values, threads);
  }
  return values;
}

Result<std::vector<std::uint64_t>> parse_limits(std::string_view list) {
  constexpr std::uint64_t kMibMax = std::numeric_limits<std::uint64_t>::max() >> 20;
  HDB_ASSIGN(const auto texts, parse_words("-w", list));
  std::vector<std::uint64_t> values;
  for (const std::string& text : texts) {
    HDB_ASSIGN(const std::uint64_t number, number_of("-w", text, kMibMax, " MiB"));
    append_once(values, number);
  }
  return values;
}

std::string query_label(int id) { return fmt::format("Q{:02}", id); }

std::string setting_name(const Setting& setting) {
  return fmt::format(
      "medium:{}/layout:{}/attr:{}/mode:{}/threads:{}/cache:{}/limit:{}/codes:{}{}{}{}{}{}{}",
      setting.medium, word(setting.layout), word(setting.attr), word(setting.mode), setting.threads,
      word(setting.cache), setting.limit_mib, word(setting.codes),
      setting.prefetch == Prefetch::kOn ? "/prefetch:on" : "",
      setting.place.empty() ? "" : "/place:" + setting.place,
      setting.results.empty() ? "" : "/results:" + setting.results,
      setting.volume.empty() ? "" : "/volume:" + setting.volume,
      setting.emulation.empty() ? "" : "/emulation:" + setting.emulation,
      setting.dataset.empty() ? "" : "/data:" + setting.dataset);
}

}  // namespace hdbench
