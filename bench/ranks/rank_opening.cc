#include "bench/ranks/rank_opening.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "bench/base/version.h"
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
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory, error)) {
    const std::uintmax_t size = entry.is_regular_file(error) ? entry.file_size(error) : 0;
    if (!error) bytes += size;
  }
  return bytes;
}

void put_error(ByteSink& out, const std::optional<Error>& error) {
  out.put(error.has_value());
  if (!error) return;
  out.put(error->kind);
  out.put_text(error->message);
}

std::optional<Error> take_error(ByteSource& in) {
  if (!in.take<bool>()) return std::nullopt;
  const auto kind = in.take<ErrorKind>();
  return Error{kind, in.take_text(), {}};
}

ByteSink sent_facts(const Result<RankFacts>& own) {
  ByteSink out;
  put_error(out, own.ok() ? std::nullopt : std::optional(own.error()));
  if (!own.ok()) return out;
  out.put_text(own->version);
  out.put(own->columns.size());
  for (const std::string& column : own->columns) out.put_text(column);
  out.put(own->domains.size());
  for (const auto& [name, hash] : own->domains) {
    out.put_text(name);
    out.put(hash);
  }
  out.put(own->partitions.size());
  for (const SharedPartition& one : own->partitions) {
    out.put(one.value);
    out.put_text(one.name);
    out.put(one.bytes);
  }
  return out;
}

Result<RankFacts> taken_facts(Bytes bytes) {
  ByteSource in(bytes);
  if (std::optional<Error> error = take_error(in)) return *error;
  RankFacts facts;
  facts.version = in.take_text();
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

std::optional<std::size_t> find_value(const std::vector<SharedPartition>& all, std::int64_t value) {
  const auto at = std::ranges::lower_bound(all, value, {}, &SharedPartition::value);
  if (at == all.end() || at->value != value) return std::nullopt;
  return static_cast<std::size_t>(at - all.begin());
}

// Null: there are none.
void tell_owners(RankJob& job, const Owners* owners) {
  ByteSink said;
  said.put(owners == nullptr);
  if (owners != nullptr) {
    said.put(owners->size());
    for (const auto& [value, rank] : *owners) {
      said.put(value);
      said.put(rank);
    }
  }
  for (std::size_t to = 1; to < job.count(); ++to) job.send_sized(to, said.bytes());
}

Result<Owners> hear_owners(RankJob& job, const Result<RankFacts>& own) {
  job.send_sized(0, sent_facts(own).bytes());
  const std::vector<std::byte> said = job.receive_sized(0);
  ByteSource in(said);
  if (in.take<bool>()) return Error{ErrorKind::kUsage, "", {}};
  Owners owners;
  for (auto left = in.take<std::size_t>(); left > 0; --left) {
    const auto value = in.take<std::int64_t>();
    owners[value] = in.take<std::size_t>();
  }
  return owners;
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
      if (!needs || find_value(facts[rank].partitions, one.value)) continue;
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
  if (job.rank() != 0) return hear_owners(job, own);
  std::vector<RankFacts> facts;
  std::optional<Error> failed;
  if (own.ok()) facts.push_back(*own);
  if (!own.ok()) failed = own.error();
  for (std::size_t from = 1; from < job.count(); ++from) {
    Result<RankFacts> one = taken_facts(job.receive_sized(from));
    if (!one.ok() && !failed)
      failed = Error{one.error().kind, job.name(from) + ": " + one.error().message, {}};
    if (one.ok()) facts.push_back(std::move(*one));
  }
  Result<Owners> owners = failed ? Result<Owners>(*failed) : owners_of(job, facts, sharing);
  tell_owners(job, owners.ok() ? &*owners : nullptr);
  return owners;
}

void report_before_opening(RankJob& job, const Error& error) {
  job.send_sized(0, sent_facts(error).bytes());
}

void abandon_opening(RankJob& job) {
  for (std::size_t from = 1; from < job.count(); ++from) static_cast<void>(job.receive_sized(from));
  tell_owners(job, nullptr);
}

}  // namespace hdbench::bench
