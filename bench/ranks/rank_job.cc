#include "bench/ranks/rank_job.h"

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

RankJob* joined = nullptr;

}  // namespace

Result<std::unique_ptr<RankJob>> RankJob::join() {
  if (!was_launched()) return std::unique_ptr<RankJob>();
  HDB_ASSIGN(auto job, join_mpi());
  joined = job.get();
  return job;
}

RankJob* RankJob::of_process() { return joined; }

RankJob::~RankJob() { joined = nullptr; }

}  // namespace hdbench::bench
