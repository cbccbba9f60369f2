// What the kernel does with pages by itself while a run lasts: NUMA balancing, demotion, zone
// reclaim, DAMON. Read, warned of, and for NUMA balancing and demotion set (--tiering).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/base/guard.h"
#include "bench/base/layers.h"
#include "bench/machine/setting_notes.h"
#include "engine/base/file_handle.h"
#include "engine/base/result.h"
#include "pmem/base/machine_paths.h"

namespace hdbench::bench {

struct KernelTiering {
  std::string requested = {};  // --tiering's word; empty: what was there is kept
  // kernel.numa_balancing: bit 0 moves pages to the node that uses them, bit 1 to the faster tier.
  // Nothing, here and below: the kernel has no such setting.
  std::optional<int> numa_balancing = {};
  std::optional<bool> demotion = {};  // reclaim moves pages to the slower tier
  std::optional<int> zone_reclaim_mode = {};
  // What of DAMON runs: "kdamond 0 (pageout)" with what it does, "damon_reclaim".
  std::vector<std::string> damon = {};

  bool operator==(const KernelTiering&) const = default;
};

KernelTiering read_kernel_tiering(const MachinePaths& paths = {});

// Of what may move or drop pages in the middle of a run: on a machine with one node with memory,
// DAMON alone.
std::vector<PreflightNote> tiering_notes(const MachinePaths& paths = {});

inline constexpr const char* kTieringOff = "off";
inline constexpr const char* kTieringNuma = "numa-balancing";

// The kernel's tiering set as requested, for as long as this lives; however the program ends, a
// guard (guard.h) sets back what was there. One program at a time may hold it.
class HeldTiering {
 public:
  // word: "off" (no NUMA balancing, no demotion) or "numa-balancing" (memory tiering: pages move up
  // by use and are demoted). Needs CAP_SYS_ADMIN, which may be given up afterwards. Errors: kUsage:
  // another word; kData: the kernel lacks or refuses a setting, or another program holds it, then
  // nothing is changed.
  static Result<std::unique_ptr<HeldTiering>> hold(const std::string& word,
                                                   const MachinePaths& paths = {});
  // Files that hold() writes.
  static std::vector<std::filesystem::path> files(const MachinePaths& paths = {});

 private:
  HeldTiering() = default;

  FileHandle lock_;  // goes last: until then no other program reads what is to be set back
  std::unique_ptr<Guard> guard_;
};

}  // namespace hdbench::bench
