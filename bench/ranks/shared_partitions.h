// The engine's ranks (ranks.h) over an MPI job: who owns which partitions of a database.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bench/base/layers.h"
#include "bench/ranks/rank_job.h"
#include "engine/exec/ranks.h"

namespace hdbench::bench {

// Owners of partitions, by their values: runs of neighbours, as equal in number as can be.
std::map<std::int64_t, std::size_t> contiguous_owners(std::vector<std::int64_t> partitions,
                                                      std::size_t ranks);

class SharedPartitions final : public Ranks {
 public:
  // `partitions`: of all tables. The job must outlive this.
  SharedPartitions(RankJob& job, std::vector<std::int64_t> partitions)
      : job_(job), owners_(contiguous_owners(std::move(partitions), job.count())) {}

  std::size_t count() const override { return job_.count(); }
  std::size_t rank() const override { return job_.rank(); }
  std::string name(std::size_t rank) const override { return job_.name(rank); }
  bool owns(std::int64_t partition_value) const override;
  void tell(Bytes message) override;
  std::vector<std::byte> hear() override { return receive_sized(0); }
  void send(Bytes bytes) override { job_.send(0, bytes); }
  void receive(std::size_t from, std::span<std::byte> bytes) override { job_.receive(from, bytes); }

 private:
  RankJob& job_;
  std::map<std::int64_t, std::size_t> owners_;
};

}  // namespace hdbench::bench
