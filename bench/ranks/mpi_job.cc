#include "bench/ranks/mpi_job.h"

#ifdef HDBENCH_HAS_MPI

#include <fmt/format.h>
#include <mpi.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>

#include "bench/base/report_error.h"
#include "engine/base/check.h"

namespace hdbench::bench {
namespace {

// MPI counts with 32 bits.
constexpr std::size_t kMessageBytes = std::size_t{1} << 30;
constexpr std::size_t kHostBytes = 64;
constexpr int kTag = 1;
// Who waits polls without a pause for so long, then with one: but for many bytes, which move only
// while both sides poll.
constexpr std::chrono::microseconds kSpin{200};
constexpr long kPauseNs = 50'000;
constexpr int kManyBytes = 1 << 16;

class MpiJob final : public RankJob {
 public:
  MpiJob(int rank, int count)
      : rank_(static_cast<std::size_t>(rank)), count_(static_cast<std::size_t>(count)) {
    std::array<char, kHostBytes> host{};
    ::gethostname(host.data(), host.size() - 1);
    std::vector<char> hosts(kHostBytes * count_);
    MPI_Allgather(host.data(), kHostBytes, MPI_CHAR, hosts.data(), kHostBytes, MPI_CHAR,
                  MPI_COMM_WORLD);
    for (std::size_t one = 0; one < count_; ++one)
      hosts_.emplace_back(hosts.data() + one * kHostBytes);
  }
  ~MpiJob() override {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    if (!wait_for(request, std::chrono::duration<double>(ends_well ? timeout_s : kEndSeconds))) {
      set_telling(true);
      if (!last_words.empty()) tell(fmt::format("hdbench: {}: {}", name(rank_), last_words));
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
  }
  MpiJob(const MpiJob&) = delete;
  MpiJob& operator=(const MpiJob&) = delete;

  std::size_t rank() const override { return rank_; }
  std::size_t count() const override { return count_; }
  const std::string& host(std::size_t rank) const override { return hosts_[rank]; }

  void send(std::size_t to, Bytes bytes) override {
    each_piece(bytes.size(), [&](std::size_t begin, int size) {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Isend(bytes.data() + begin, size, MPI_BYTE, static_cast<int>(to), kTag, MPI_COMM_WORLD,
                &request);
      wait(request, to, size);
    });
  }

  void receive(std::size_t from, std::span<std::byte> bytes) override {
    each_piece(bytes.size(), [&](std::size_t begin, int size) {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Irecv(bytes.data() + begin, size, MPI_BYTE, static_cast<int>(from), kTag, MPI_COMM_WORLD,
                &request);
      wait(request, from, size);
    });
  }

 private:
  template <typename Piece>
  void each_piece(std::size_t bytes, const Piece& piece) const {
    HDB_CHECK(::getpid() == process_, "MPI is the process's that joined, not its children's");
    for (std::size_t begin = 0; begin < bytes; begin += kMessageBytes)
      piece(begin, static_cast<int>(std::min(kMessageBytes, bytes - begin)));
  }

  // Rank 0, which waits for all, is to find first which of them does not answer.
  void wait(MPI_Request& request, std::size_t other, int size) const {
    const double most = other == 0 ? 2 * timeout_s : timeout_s;
    if (wait_for(request, std::chrono::duration<double>(most), size >= kManyBytes)) return;
    set_telling(true);
    tell(fmt::format("hdbench: {}: waited {:g} s for {} (--rank-timeout): the job ends",
                     name(rank_), most, name(other)));
    MPI_Abort(MPI_COMM_WORLD, kDataStatus);
    std::_Exit(kDataStatus);  // where the launcher does not
  }

  // False: it is not done in that time.
  static bool wait_for(MPI_Request& request, std::chrono::duration<double> most,
                       bool is_busy = false) {
    const auto begin = std::chrono::steady_clock::now();
    for (;;) {
      int is_done = 0;
      MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
      if (is_done != 0) return true;
      const auto waited = std::chrono::steady_clock::now() - begin;
      if (waited < kSpin) continue;
      if (waited > most) return false;
      if (is_busy) {
        ::sched_yield();
        continue;
      }
      const timespec pause{0, kPauseNs};
      ::nanosleep(&pause, nullptr);
    }
  }

  const pid_t process_ = ::getpid();
  std::size_t rank_;
  std::size_t count_;
  std::vector<std::string> hosts_;
};

}  // namespace

Result<std::unique_ptr<RankJob>> join_mpi() {
  // Where privileges were given up, one process may not read another's memory, and Open MPI says so
  // with every message that it then copies in another way.
  ::setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", /*overwrite=*/0);
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  int rank = 0;
  int count = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  auto job = std::make_unique<MpiJob>(rank, count);
  if (count == 1) return std::unique_ptr<RankJob>();
  return std::unique_ptr<RankJob>(std::move(job));
}

}  // namespace hdbench::bench

#else

namespace hdbench::bench {

Result<std::unique_ptr<RankJob>> join_mpi() {
  return usage_error(
      "mpirun: this hdbench was built without MPI: install libopenmpi-dev and build it again");
}

}  // namespace hdbench::bench

#endif
