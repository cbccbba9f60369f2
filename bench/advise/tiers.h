// The memories and disks that one may buy: a TOML file with a [[tier]] each.
//
//   [[tier]]
//   name = "DRAM"                 # of tables and charts
//   medium = "dram"               # or a medium with a profile: "cxl:cxl-cz122"
//   capacity = "768GiB"           # the most that there may be of it; absent: as much as wanted
//   price_per_gb = 30             # of a currency of yours for 10^9 bytes
//   price_once = 0                # where any of it is used: a card, a second CPU; absent: 0
//   source = "a price list, its date"
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bench/base/layers.h"
#include "bench/results/forecasts.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// In the order of the file; one of them is dram. Errors: kUsage, naming file, line, value and what
// was expected: no tier, a name twice, no dram, a price below 0, a medium without a profile.
Result<std::vector<Tier>> parse_tiers(std::string_view text, const std::string& file);
Result<std::vector<Tier>> read_tiers(const std::filesystem::path& file);

// 10^9 bytes' price times what there is of them, and what the tier costs once.
double price_of(const Tier& tier, std::uint64_t bytes);

}  // namespace hdbench::bench
