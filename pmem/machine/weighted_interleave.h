// The kernel's weights for interleaving pages over nodes (Linux 6.9 and later):
// /sys/kernel/mm/mempolicy/weighted_interleave/nodeN.
//
// They apply to the whole machine, so they are read here and never written.
#pragma once

#include <filesystem>
#include <map>
#include <optional>

namespace hdbench::pmem {

struct WeightedInterleave {
  bool known = false;             // the kernel shows the weights
  std::map<int, int> weights;     // by node
  std::optional<bool> automatic;  // set from the firmware's bandwidths; nothing: not told
};

WeightedInterleave read_weighted_interleave(const std::filesystem::path& sysfs);

}  // namespace hdbench::pmem
