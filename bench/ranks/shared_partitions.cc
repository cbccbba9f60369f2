#include "bench/ranks/shared_partitions.h"

#include <algorithm>

namespace hdbench::bench {

std::size_t SharedPartitions::owned() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(owners_, [&](const auto& one) { return one.second == job_.rank(); }));
}

bool SharedPartitions::owns(std::int64_t partition_value) const {
  const auto owner = owners_.find(partition_value);
  return (owner == owners_.end() ? 0 : owner->second) == job_.rank();
}

void SharedPartitions::tell(Bytes message) {
  for (std::size_t to = 1; to < job_.count(); ++to) job_.send_sized(to, message);
}

}  // namespace hdbench::bench
