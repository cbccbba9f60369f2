// The axes of the experiment: their values, their words on the command line, and a cell's name
// (docs/results-json.md).
//
// An axis takes one word (`query`) or a comma list (`run`). Every parse error is kUsage and names
// the flag, the word and the known words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/exec/execute.h"
#include "engine/storage/narrow_codes.h"
#include "pmem/media/medium.h"

namespace hdbench {

enum class Layout : std::uint8_t { kPartitioned, kFlat };

// Whether conditions may use p# indexes: on date in the flat table, on the parted column in the
// partitioned one.
enum class AttrUse : std::uint8_t { kNone, kParted };

// Whether columns are read ahead of the morsels, or when they are touched, as kdb+ does.
enum class Prefetch : std::uint8_t { kOff, kOn };

// What happens to a query that reaches -w (docs/q-semantics.md, "Memory").
enum class OnLimit : std::uint8_t { kAbort, kExit, kSpill };

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
  std::string dataset;         // of an experiment over several databases; else empty
  std::string place = {};      // "bid,ask=cxl": columns that lie elsewhere; empty: none
  std::string results = {};    // "cxl": the medium that results lie on, where it was asked for
  std::string volume = {};     // "gp3": what the disk is held to; empty: nothing
  std::string emulation = {};  // "model" or "ratio", of emulated cells; empty: wall, or none

  bool operator==(const Setting&) const = default;
};

std::string_view word(Layout layout);
std::string_view word(AttrUse attr);
std::string_view word(Mode mode);
std::string_view word(Cache cache);
std::string_view word(Codes codes);
std::string_view word(Prefetch prefetch);
std::string_view word(OnLimit policy);

// The words of a comma list, in order, each once. Errors: an empty list or an empty word in it.
Result<std::vector<std::string>> parse_words(std::string_view flag, std::string_view list);

Result<std::vector<Layout>> parse_layouts(std::string_view list);
Result<std::vector<AttrUse>> parse_attrs(std::string_view list);
Result<std::vector<Mode>> parse_modes(std::string_view list);
Result<std::vector<Cache>> parse_caches(std::string_view list);
Result<std::vector<Codes>> parse_codes(std::string_view list);
Result<std::vector<Prefetch>> parse_prefetches(std::string_view list);
Result<OnLimit> parse_on_limit(std::string_view word);

// Secondary threads as kdb+ counts them: 0 and 1 are one thread; `all` is all_threads; `1..4` and
// `1..all` are every count from the first to the last.
Result<std::vector<std::size_t>> parse_threads(std::string_view list, std::size_t all_threads);

// MiB, 0 for no limit.
Result<std::vector<std::uint64_t>> parse_limits(std::string_view list);

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
// "/prefetch:on", "/place:bid,ask=cxl", "/results:cxl", "/volume:gp3", "/emulation:ratio" and
// "/data:paper-3y" where they are.
std::string setting_name(const Setting& setting);

}  // namespace hdbench
