// All ranks of a job open a database, each its own files, and agree that it is one: the same
// hdbench, tables, columns and symbol lists, and each partition at the rank that owns it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bench/base/layers.h"
#include "bench/ranks/rank_job.h"
#include "bench/ranks/sharing.h"
#include "engine/base/result.h"
#include "engine/storage/database.h"

namespace hdbench::bench {

// What a rank sees.
struct RankFacts {
  std::string version;  // of hdbench, and its commit
  std::string queries;  // a hash of what the command asks of the database
  // Of each table the columns, "bid float", with the name before each: "quote: bid float".
  std::vector<std::string> columns;
  std::vector<std::pair<std::string, std::uint64_t>> domains;  // hashes of symbol lists
  std::vector<SharedPartition> partitions;                     // rising
};
// Bytes of partitions are counted where `share` needs them. Errors: Database::table()'s.
Result<RankFacts> facts_of(const Database& database, Share share);

// On every rank of the job, with what its own opening gave. Who owns what. Errors: the first
// rank's, which it names; rank 0's on rank 0, on the others an error without a message, as rank 0
// has it.
Result<Owners> agree_on_opening(RankJob& job, const Result<RankFacts>& own, const Sharing& sharing);

// For a rank other than 0 that ends before it comes to an opening: rank 0 then has its error there.
void report_before_opening(RankJob& job, const Error& error);
// For rank 0 in that case: the others' openings fail.
void abandon_opening(RankJob& job, ErrorKind kind);

// Whether the ranks' facts are of one database. `facts`: by rank. Errors: kData, naming the rank.
Result<Owners> owners_of(const RankJob& job, const std::vector<RankFacts>& facts,
                         const Sharing& sharing);

}  // namespace hdbench::bench
