#include "bench/ranks/shared_partitions.h"

#include <algorithm>

namespace hdbench::bench {

std::map<std::int64_t, std::size_t> contiguous_owners(std::vector<std::int64_t> partitions,
                                                      std::size_t ranks) {
  std::sort(partitions.begin(), partitions.end());
  partitions.erase(std::unique(partitions.begin(), partitions.end()), partitions.end());
  std::map<std::int64_t, std::size_t> owners;
  for (std::size_t at = 0; at < partitions.size(); ++at)
    owners[partitions[at]] = at * ranks / partitions.size();
  return owners;
}

bool SharedPartitions::owns(std::int64_t partition_value) const {
  const auto owner = owners_.find(partition_value);
  return (owner == owners_.end() ? 0 : owner->second) == job_.rank();
}

void SharedPartitions::tell(Bytes message) {
  const std::uint64_t size = message.size();
  for (std::size_t to = 1; to < job_.count(); ++to) {
    job_.send(to, std::as_bytes(std::span(&size, 1)));
    job_.send(to, message);
  }
}

}  // namespace hdbench::bench
