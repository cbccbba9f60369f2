// The axes of the experiment: one table says what each is called everywhere, and a setting is one
// point of all of them (docs/results-json.md).
//
// An axis takes one word (`query`) or a comma list (`run`). Every parse error is kUsage and names
// the flag, the word and the known words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/base/layers.h"
#include "engine/base/check.h"
#include "engine/base/result.h"
#include "engine/exec/execute.h"
#include "engine/storage/narrow_codes.h"
#include "engine/storage/plain_file.h"
#include "pmem/media/medium.h"

namespace hdbench::bench {

enum class Layout : std::uint8_t { kPartitioned, kFlat };

// Whether conditions may use p# indexes: on date in the flat table, on the parted column in the
// partitioned one.
enum class AttrUse : std::uint8_t { kNone, kParted };

// Whether columns are read ahead of the morsels, or when they are touched, as kdb+ does.
enum class Prefetch : std::uint8_t { kOff, kOn };

// What happens to a query that reaches -w (docs/q-semantics.md, "Memory").
enum class OnLimit : std::uint8_t { kAbort, kExit, kSpill };

inline constexpr const char* kSpillFile = "file";

// --on-limit.
struct LimitRule {
  OnLimit what = OnLimit::kAbort;
  // Of kSpill: kSpillFile (files on a disk), or the word of a medium, with or without a profile.
  std::string spill = {};
};

// One setting of the axes.
struct Setting {
  std::string medium = "nvme";
  Layout layout = Layout::kPartitioned;
  AttrUse attr = AttrUse::kParted;
  Mode mode = Mode::k40;
  std::size_t threads = 1;
  Cache cache = Cache::kWarm;
  std::uint64_t limit_mib = 0;
  Codes codes = Codes::kStored;
  Prefetch prefetch = Prefetch::kOff;
  Compressed compressed = Compressed::kAsStored;
  std::string dataset;         // of an experiment over several databases; else empty
  std::string place = {};      // "bid,ask=cxl": columns that lie elsewhere; empty: none
  std::string results = {};    // "cxl": the medium that results lie on, where it was requested
  std::string spill = {};      // LimitRule's: what goes beyond -w; empty: nothing does
  std::string volume = {};     // "gp3": what the disk is held to; empty: nothing
  std::string emulation = {};  // "model", of emulated cells; empty: wall, or none
  std::string ranks = {};      // "4": of an MPI job, that shared the partitions; empty: none

  bool operator==(const Setting&) const = default;
};

// 1: one process.
std::size_t rank_count(const Setting& setting);

// The words of each enum's values.
template <typename T, std::size_t N>
using Words = std::array<std::pair<std::string_view, T>, N>;
constexpr Words<Layout, 2> words_of(Layout) {
  return {{{"partitioned", Layout::kPartitioned}, {"flat", Layout::kFlat}}};
}
constexpr Words<AttrUse, 2> words_of(AttrUse) {
  return {{{"none", AttrUse::kNone}, {"parted", AttrUse::kParted}}};
}
constexpr Words<Mode, 2> words_of(Mode) { return {{{"3.6", Mode::k36}, {"4.0", Mode::k40}}}; }
constexpr Words<Cache, 2> words_of(Cache) {
  return {{{"cold", Cache::kCold}, {"warm", Cache::kWarm}}};
}
constexpr Words<Codes, 2> words_of(Codes) {
  return {{{"stored", Codes::kStored}, {"narrow", Codes::kNarrow}}};
}
constexpr Words<Compressed, 2> words_of(Compressed) {
  return {{{"asis", Compressed::kAsStored}, {"unpacked", Compressed::kUnpacked}}};
}
constexpr Words<Prefetch, 2> words_of(Prefetch) {
  return {{{"off", Prefetch::kOff}, {"on", Prefetch::kOn}}};
}
constexpr Words<OnLimit, 3> words_of(OnLimit) {
  return {{{"abort", OnLimit::kAbort}, {"exit", OnLimit::kExit}, {"spill", OnLimit::kSpill}}};
}

template <typename T>
  requires requires(T value) { words_of(value); }
std::string_view word(T value) {
  for (const auto& [text, known] : words_of(value)) {
    if (known == value) return text;
  }
  HDB_CHECK(false, "an axis value without a word");
  return {};
}

// "abort", "exit", "spill" (as spill=file), "spill=MEDIUM". Errors: kUsage: another word, or what
// is no medium of memory; whether this machine has it is not looked at.
Result<LimitRule> parse_limit_rule(std::string_view text);

// Whether results may lie on this medium: it is memory, no disk. Errors: kUsage, named by `flag`;
// parse_medium_spec()'s.
Status check_result_medium(std::string_view flag, const std::string& medium);

Error unknown_word(std::string_view flag, std::string_view text,
                   const std::vector<std::string_view>& known);

// The value of this word. `like` tells the enum only.
template <typename T>
  requires requires(T value) { words_of(value); }
Result<T> parse_word(std::string_view flag, std::string_view text, T like = T{}) {
  std::vector<std::string_view> known;
  for (const auto& [candidate, value] : words_of(like)) {
    if (candidate == text) return value;
    known.push_back(candidate);
  }
  return unknown_word(flag, text, known);
}

// All that is known of an axis, but for its flag's help (bench/cli/axis_flags.cc).
struct Axis {
  std::string_view name;  // in cells' names and experiment files
  std::string_view flag;  // in errors; empty: it takes no list, and other flags set it
  std::string_view key;   // in results.json; empty: bench/results says how
  enum class Shown { kAlways, kUnlessUsual } shown;  // in cells' names
  bool is_own;                                       // means nothing for other engines
  std::uint64_t number_max;                          // of a number; 0: the axis has words
  std::string (*word)(const Setting& setting);
  Status (*set)(const Axis& axis, Setting& setting, std::string_view word);
};

// In the order of cells' names.
std::span<const Axis> axes();
// Requires: there is one of this name.
const Axis& axis_of(std::string_view name);

// The words of a comma list, in order, each once. Errors: an empty list or an empty word in it.
Result<std::vector<std::string>> parse_words(std::string_view flag, std::string_view list);

// Secondary threads as kdb+ counts them: 0 and 1 are one thread; `all` is all_threads; `1..4` is
// every count from the first to the last; `1..all` is the first, the powers of two beyond it, and
// all, so that a large machine does not run a hundred counts.
Result<std::vector<std::size_t>> parse_threads(std::string_view list, std::size_t all_threads);

// The words of an axis' list, each checked, threads as parse_threads() counts them.
Result<std::vector<std::string>> parse_axis(const Axis& axis, std::string_view list,
                                            std::size_t all_threads);

// The one element of a list; the error names the flag.
template <typename T>
Result<T> only(std::string_view flag, Result<std::vector<T>> list) {
  if (!list.ok()) return list.error();
  if (list->size() == 1) return std::move(list->front());
  return usage_error(std::string(flag) + ": one value is expected here, not a list");
}

// "Q07"; three digits from 100 on.
std::string query_label(int id);

// "medium:dram/layout:flat/attr:parted/mode:4.0/threads:2/cache:warm/limit:0/codes:stored", with
// "/prefetch:on", "/compressed:unpacked", "/place:bid,ask=cxl", "/results:cxl", "/spill:file",
// "/volume:gp3", "/emulation:ratio", "/ranks:4" and "/data:paper-3y" where they are.
std::string setting_name(const Setting& setting);

}  // namespace hdbench::bench
