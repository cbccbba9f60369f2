#include "bench/ranks/rank_job.h"

#include <fmt/format.h>

#include <cstdlib>

#include "bench/ranks/mpi_job.h"

namespace hdbench::bench {
namespace {

// What launchers set: Open MPI's, those of the PMI interface (MPICH and its kin), PMIx's.
bool was_launched() {
  for (const char* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

RankJob* joined_job = nullptr;

}  // namespace

Result<std::unique_ptr<RankJob>> RankJob::join() {
  if (!was_launched()) return std::unique_ptr<RankJob>();
  HDB_ASSIGN(auto job, join_mpi());
  joined_job = job.get();
  return job;
}

RankJob* RankJob::of_process() { return joined_job; }

RankJob::~RankJob() { joined_job = nullptr; }

std::string RankJob::name(std::size_t rank) const {
  return fmt::format("rank {} on {}", rank, host(rank));
}

std::size_t RankJob::count_on_host(std::size_t first) const {
  std::size_t here = 0;
  for (std::size_t one = first; one < count(); ++one) here += host(one) == host(rank()) ? 1 : 0;
  return here;
}

void RankJob::send_sized(std::size_t to, Bytes bytes) {
  const std::uint64_t size = bytes.size();
  send(to, std::as_bytes(std::span(&size, 1)));
  send(to, bytes);
}

std::vector<std::byte> RankJob::receive_sized(std::size_t from) {
  std::uint64_t size = 0;
  receive(from, std::as_writable_bytes(std::span(&size, 1)));
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  receive(from, bytes);
  return bytes;
}

}  // namespace hdbench::bench
