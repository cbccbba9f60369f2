#include "bench/ranks/rank_opening.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <map>
#include <set>

#include "bench/base/version.h"
#include "bench/ranks/shared_partitions.h"
#include "engine/base/byte_stream.h"
#include "engine/base/file_handle.h"
#include "engine/base/store.h"
#include "engine/column/format_value.h"

namespace hdbench::bench {
namespace {

constexpr std::size_t kShardsBytesMax = std::size_t{1} << 24;

std::uint64_t hash_of(const Domain& domain) {
  std::uint64_t hash = domain.size();
  for (const std::string_view symbol : domain.symbols())
    hash = XXH3_64bits_withSeed(symbol.data(), symbol.size(), hash);
  return hash;
}

std::uint64_t file_bytes_below(const std::filesystem::path& directory) {
  std::uint64_t bytes = 0;
  std::error_code error;
  std::filesystem::recursive_directory_iterator entry(directory, error);
  for (; entry != std::filesystem::recursive_directory_iterator(); entry.increment(error)) {
    const std::uintmax_t size = entry->is_regular_file(error) ? entry->file_size(error) : 0;
    if (!error) bytes += size;
  }
  return bytes;
}

ByteSink sent_facts(const RankFacts& own) {
  ByteSink out;
  out.put_text(own.version);
  out.put_text(own.queries);
  out.put(own.columns.size());
  for (const std::string& column : own.columns) out.put_text(column);
  out.put(own.domains.size());
  for (const auto& [name, hash] : own.domains) {
    out.put_text(name);
    out.put(hash);
  }
  out.put(own.partitions.size());
  for (const SharedPartition& one : own.partitions) {
    out.put(one.value);
    out.put_text(one.name);
    out.put(one.bytes);
  }
  return out;
}

RankFacts taken_facts(Bytes bytes) {
  ByteSource in(bytes);
  RankFacts facts;
  facts.version = in.take_text();
  facts.queries = in.take_text();
  for (auto left = in.take<std::size_t>(); left > 0; --left)
    facts.columns.push_back(in.take_text());
  for (auto left = in.take<std::size_t>(); left > 0; --left) {
    const std::string name = in.take_text();
    facts.domains.emplace_back(name, in.take<std::uint64_t>());
  }
  for (auto left = in.take<std::size_t>(); left > 0; --left) {
    SharedPartition one{in.take<std::int64_t>(), in.take_text(), 0};
    one.bytes = in.take<std::uint64_t>();
    facts.partitions.push_back(std::move(one));
  }
  return facts;
}

// The first that one of the two has and the other has not.
template <typename T>
const T* difference(const std::vector<T>& a, const std::vector<T>& b) {
  for (const auto& [list, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    for (const T& one : *list) {
      if (std::ranges::find(*other, one) == other->end()) return &one;
    }
  }
  return nullptr;
}

Status check_alike(const std::string& name, const RankFacts& first, const RankFacts& other) {
  if (other.version != first.version)
    return usage_error(fmt::format("{}: hdbench {}, rank 0 has {}: expected one version", name,
                                   other.version, first.version));
  if (other.queries != first.queries)
    return usage_error(name + ": its queries (texts, --param) are not rank 0's: expected the same");
  if (const std::string* const column = difference(other.columns, first.columns)) {
    const bool is_its = std::ranges::find(other.columns, *column) != other.columns.end();
    return data_error(fmt::format("{}: {}'{}', rank 0 {}: expected the same tables and columns",
                                  name, is_its ? "" : "no ", *column, is_its ? "has not" : "has"));
  }
  if (const auto* const domain = difference(other.domains, first.domains))
    return data_error(fmt::format(
        "{}: symbol list '{}' is another than rank 0's: expected the same", name, domain->first));
  return ok_status();
}

void tell_owners(Ranks& ranks, const Result<Owners>& owners) {
  ByteSink said;
  said.put(owners.ok());
  if (owners.ok()) {
    said.put_pairs(*owners);
  } else {
    said.put(owners.error().kind);
  }
  ranks.tell(said.bytes());
}

Result<Owners> hear_owners(Ranks& ranks) {
  const std::vector<std::byte> said = ranks.hear();
  ByteSource in(said);
  if (!in.take<bool>()) return Error{in.take<ErrorKind>(), "", {}};
  const auto owners = in.take_pairs<std::int64_t, std::size_t>();
  return Owners(owners.begin(), owners.end());
}

}  // namespace

Result<RankFacts> facts_of(const Database& database, Share share) {
  RankFacts facts;
  facts.version = fmt::format("{} ({})", version(), commit());
  std::map<std::string, std::uint64_t> domains;
  for (const std::string& name : database.table_names()) {
    HDB_ASSIGN(const auto table, database.table(name, make_page_cache_store()));
    const Schema& schema = table->schema();
    for (std::size_t field = 0; field < schema.own_fields(); ++field) {
      const Field& one = schema.fields[field];
      facts.columns.push_back(fmt::format("{}: {} {}", name, one.name, type_name(one.type)));
      if (one.domain) domains.try_emplace(one.domain->name(), hash_of(*one.domain));
    }
  }
  facts.domains.assign(domains.begin(), domains.end());
  const DatabaseLayout& layout = database.layout();
  for (const PartitionDirectory& directory : layout.partitions) {
    const std::uint64_t bytes = share == Share::kBytes ? file_bytes_below(directory.path) : 0;
    if (!facts.partitions.empty() && facts.partitions.back().value == directory.value) {
      facts.partitions.back().bytes += bytes;  // of another segment
      continue;
    }
    facts.partitions.push_back(
        {directory.value, partition_name(layout.partition_type, directory.value), bytes});
  }
  return facts;
}

Result<Owners> owners_of(const RankJob& job, const std::vector<RankFacts>& facts,
                         const Sharing& sharing) {
  for (std::size_t rank = 1; rank < facts.size(); ++rank)
    HDB_TRY(check_alike(job.name(rank), facts.front(), facts[rank]));
  std::vector<SharedPartition> all;
  for (const RankFacts& one : facts)
    all.insert(all.end(), one.partitions.begin(), one.partitions.end());
  std::ranges::stable_sort(all, {}, &SharedPartition::value);
  const auto twice = std::ranges::unique(all, {}, &SharedPartition::value);
  all.erase(twice.begin(), twice.end());

  Owners owners = owners_by_share(all, job.count(), sharing.share);
  if (!sharing.shards.empty()) {
    const std::string file = sharing.shards.string();
    const auto text = read_text(sharing.shards, kShardsBytesMax);
    if (!text.ok()) return usage_error("--shards: " + text.error().message);
    HDB_ASSIGN(const std::vector<Shard> shards, parse_shards(*text, file));
    std::vector<std::string> hosts;
    for (std::size_t rank = 0; rank < job.count(); ++rank) hosts.push_back(job.host(rank));
    HDB_ASSIGN(owners, owners_by_shards(all, shards, file, hosts));
  }
  for (std::size_t rank = 0; rank < facts.size(); ++rank) {
    for (const SharedPartition& one : all) {
      const bool needs = sharing.shards.empty() || owners.at(one.value) == rank;
      const auto& its = facts[rank].partitions;
      if (!needs || std::ranges::binary_search(its, one.value, {}, &SharedPartition::value))
        continue;
      return data_error(
          sharing.shards.empty()
              ? fmt::format("{}: lacks partition {}, which others have: expected one database, or "
                            "--shards FILE where each rank has its own partitions",
                            job.name(rank), one.name)
              : fmt::format("{}: lacks partition {}, which {} gives it", job.name(rank), one.name,
                            sharing.shards.string()));
    }
  }
  return owners;
}

Result<Owners> agree_on_opening(RankJob& job, const Result<RankFacts>& own,
                                const Sharing& sharing) {
  ++job.openings;
  SharedPartitions ranks(job, {});
  const ByteSink sent = own.ok() ? sent_facts(*own) : ByteSink();
  if (job.rank() != 0) {
    ranks.answer(own.ok() ? ok_status() : Status(own.error()), sent.bytes());
    return hear_owners(ranks);
  }
  const auto agreed = [&]() -> Result<Owners> {
    const Result<Ranks::Answers> others = ranks.take_answers();
    if (!own.ok()) return own.error();
    if (!others.ok()) return others.error();
    std::vector<RankFacts> facts{*own};
    for (std::size_t from = 1; from < job.count(); ++from)
      facts.push_back(taken_facts((*others)[from]));
    return owners_of(job, facts, sharing);
  };
  Result<Owners> owners = agreed();
  tell_owners(ranks, owners);
  return owners;
}

void report_before_opening(RankJob& job, const Error& error) {
  SharedPartitions(job, {}).answer(error, {});
}

void abandon_opening(RankJob& job, ErrorKind kind) {
  SharedPartitions ranks(job, {});
  static_cast<void>(ranks.take_answers());
  tell_owners(ranks, Error{kind, "", {}});
}

}  // namespace hdbench::bench
