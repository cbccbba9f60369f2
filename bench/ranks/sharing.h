// Who owns which partitions of a database that several ranks read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/base/layers.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// round-robin: one after the other, so that a query of some days has all ranks at work; contiguous:
// runs of neighbours, as equal in number as can be; bytes: as equal in bytes as can be.
enum class Share : std::uint8_t { kRoundRobin, kContiguous, kBytes };
// Errors: kUsage, with the known words.
Result<Share> parse_share(std::string_view word);

// A line of a file of shards: partitions from one to another, by their directories' names.
struct Shard {
  std::string rank;  // a number, or a host that has one rank
  std::string from;
  std::string to;
  std::size_t line = 0;
};
// Lines of a rank and its partitions: "1 2024.01.02..2024.03.29 2024.04.02"; from # on a comment.
// `file`: for messages. Errors: kUsage.
Result<std::vector<Shard>> parse_shards(std::string_view text, const std::string& file);

struct Sharing {
  Share share = Share::kRoundRobin;
  std::filesystem::path shards = {};  // empty: all ranks see all partitions
  bool replicas = false;              // nothing is shared: each rank has and reads all partitions
};

// A partition as a rank has it. Of all tables together.
struct SharedPartition {
  std::int64_t value = 0;
  std::string name;  // of its directory
  std::uint64_t bytes = 0;
};

// Ranks by the partitions' values.
using Owners = std::map<std::int64_t, std::size_t>;
// `partitions`: rising, each once.
Owners owners_by_share(const std::vector<SharedPartition>& partitions, std::size_t ranks,
                       Share share);
// `hosts`: by rank. Errors: kUsage: a partition of no shard or of two, a rank that there is not.
Result<Owners> owners_by_shards(const std::vector<SharedPartition>& partitions,
                                const std::vector<Shard>& shards, const std::string& file,
                                const std::vector<std::string>& hosts);

}  // namespace hdbench::bench
