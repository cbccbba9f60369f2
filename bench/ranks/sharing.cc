#include "bench/ranks/sharing.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "bench/base/lines.h"

namespace hdbench::bench {
namespace {

// Names of one kind of partition: dates, months and years are as wide as each other, and of whole
// numbers the shorter one is the less.
bool is_less(const std::string& a, const std::string& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

bool holds(const Shard& shard, const std::string& name) {
  return !is_less(name, shard.from) && !is_less(shard.to, name);
}

Result<std::size_t> rank_of(const Shard& shard, const std::string& file,
                            const std::vector<std::string>& hosts) {
  std::size_t rank = 0;
  const char* const end = shard.rank.data() + shard.rank.size();
  const auto parsed = std::from_chars(shard.rank.data(), end, rank);
  if (parsed.ec == std::errc{} && parsed.ptr == end && rank < hosts.size()) return rank;
  const auto host = std::ranges::find(hosts, shard.rank);
  if (host != hosts.end() && std::ranges::count(hosts, shard.rank) == 1)
    return static_cast<std::size_t>(host - hosts.begin());
  return usage_error(fmt::format(
      "--shards: {}: line {}: '{}' is {}: expected a rank from 0 to {}, or the host of one", file,
      shard.line, shard.rank, host == hosts.end() ? "no rank of this job" : "the host of several",
      hosts.size() - 1));
}

}  // namespace

Result<Share> parse_share(std::string_view word) {
  if (word == "round-robin") return Share::kRoundRobin;
  if (word == "contiguous") return Share::kContiguous;
  if (word == "bytes") return Share::kBytes;
  return usage_error(
      fmt::format("--share: unknown value '{}': known are round-robin, contiguous, bytes", word));
}

Result<std::vector<Shard>> parse_shards(std::string_view text, const std::string& file) {
  std::vector<Shard> shards;
  const std::vector<std::string> lines = split_trimmed(text, '\n');
  for (std::size_t at = 0; at < lines.size(); ++at) {
    std::string line = lines[at].substr(0, lines[at].find('#'));
    std::ranges::replace(line, '\t', ' ');
    std::erase(line, '\r');
    std::vector<std::string> words = split_trimmed(line, ' ');
    std::erase(words, "");
    if (words.empty()) continue;
    if (words.size() == 1)
      return usage_error(
          fmt::format("--shards: {}: line {}: '{}' has no partitions, expected a "
                      "rank and partitions, such as 0 2024.01.02..2024.03.29",
                      file, at + 1, words.front()));
    for (std::size_t word = 1; word < words.size(); ++word) {
      const std::size_t dots = words[word].find("..");
      const std::string from = words[word].substr(0, dots);
      const std::string to = dots == std::string::npos ? from : words[word].substr(dots + 2);
      if (from.empty() || to.empty() || is_less(to, from))
        return usage_error(fmt::format("--shards: {}: line {}: '{}' is no range, expected FROM..TO",
                                       file, at + 1, words[word]));
      shards.push_back({words.front(), from, to, at + 1});
    }
  }
  if (shards.empty()) return usage_error(fmt::format("--shards: {}: names no partition", file));
  return shards;
}

Owners owners_by_share(const std::vector<SharedPartition>& partitions, std::size_t ranks,
                       Share share) {
  // A middle that lies in a rank's part of the whole makes the partition that rank's.
  double whole = 0;
  for (const SharedPartition& one : partitions) whole += static_cast<double>(one.bytes);
  double before = 0;
  Owners owners;
  for (std::size_t at = 0; at < partitions.size(); ++at) {
    const auto bytes = static_cast<double>(partitions[at].bytes);
    std::size_t owner = at * ranks / partitions.size();
    if (share == Share::kRoundRobin) owner = at % ranks;
    if (share == Share::kBytes && whole > 0)
      owner = std::min(ranks - 1, static_cast<std::size_t>((before + bytes / 2) / whole *
                                                           static_cast<double>(ranks)));
    before += bytes;
    owners[partitions[at].value] = owner;
  }
  return owners;
}

Result<Owners> owners_by_shards(const std::vector<SharedPartition>& partitions,
                                const std::vector<Shard>& shards, const std::string& file,
                                const std::vector<std::string>& hosts) {
  std::vector<std::size_t> ranks;
  for (const Shard& shard : shards) {
    HDB_ASSIGN(const std::size_t rank, rank_of(shard, file, hosts));
    ranks.push_back(rank);
  }
  Owners owners;
  for (const SharedPartition& partition : partitions) {
    std::optional<std::size_t> of;
    for (std::size_t at = 0; at < shards.size(); ++at) {
      if (!holds(shards[at], partition.name)) continue;
      if (of && ranks[*of] != ranks[at])
        return usage_error(
            fmt::format("--shards: {}: line {}: partition {} is rank {}'s by line "
                        "{}, expected one rank",
                        file, shards[at].line, partition.name, ranks[*of], shards[*of].line));
      of = at;
    }
    if (!of)
      return usage_error(
          fmt::format("--shards: {}: partition {} is no rank's", file, partition.name));
    owners[partition.value] = ranks[*of];
  }
  return owners;
}

}  // namespace hdbench::bench
