// The engine's ranks (ranks.h) over an MPI job.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bench/base/layers.h"
#include "bench/ranks/rank_job.h"
#include "bench/ranks/sharing.h"
#include "engine/exec/ranks.h"

namespace hdbench::bench {

class SharedPartitions final : public Ranks {
 public:
  // The job must outlive this. Partitions without an owner are rank 0's.
  SharedPartitions(RankJob& job, Owners owners) : job_(job), owners_(std::move(owners)) {}

  RankJob& job() { return job_; }
  std::size_t owned() const;  // partitions

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
  Owners owners_;
};

}  // namespace hdbench::bench
