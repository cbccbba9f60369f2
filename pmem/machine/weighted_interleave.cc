#include "pmem/machine/weighted_interleave.h"

#include <string>
#include <system_error>

#include "pmem/base/sysfs_text.h"

namespace hdbench::pmem {

WeightedInterleave read_weighted_interleave(const std::filesystem::path& sysfs) {
  const auto directory = sysfs / "kernel/mm/mempolicy/weighted_interleave";
  WeightedInterleave found;
  std::error_code failed;
  found.known = std::filesystem::is_directory(directory, failed);
  for (const auto& [node, file] : numbered(directory, "node")) {
    if (const auto weight = read_int(file)) found.weights[node] = *weight;
  }
  const std::string automatic = first_line(directory / "auto");
  if (!automatic.empty()) found.automatic = automatic == "true" || automatic == "1";
  return found;
}

}  // namespace hdbench::pmem
