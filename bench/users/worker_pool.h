// A pool of processes that answer queries, forked from this one: as a kdb+ estate has several q
// processes over one database. This process deals queries to them and reads their answers.
//
// A process inherits what is open and loaded, with page tables of its own. It takes one query at a
// time, ends with its parent, and never prints. One that dies loses its query, and the others go
// on.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/base/child_process.h"
#include "bench/base/layers.h"
#include "engine/base/file_handle.h"
#include "engine/base/result.h"

namespace hdbench::bench {

struct Ask {
  std::uint64_t number = 0;
  int query = 0;
};

// Plain memory, as it goes through a socket. Times are monotonic_ns().
struct Reply {
  std::uint64_t number = 0;
  std::int32_t query = 0;
  std::uint64_t begin_ns = 0;   // the process has the query
  std::uint64_t served_ns = 0;  // how long it ran, as a cell times it
  std::uint64_t end_ns = 0;     // the result is read
  std::uint64_t cpu_ns = 0;     // of the process, since its last answer
  std::uint64_t checksum = 0;
  std::uint64_t bytes_read = 0;
  std::uint64_t device_bytes = 0;
  bool is_device_known = false;
  bool has_result = false;  // false: `error` says why
  bool is_limit = false;    // then: the query needs more than its -w
  std::array<char, 256> error = {};

  // As much of it as fits.
  void fail(std::string_view message);
};

class WorkerPool {
 public:
  // What a process does with a query: fills in the answer but for its number and query.
  using Serve = std::function<void(const Ask& ask, Reply& answer)>;
  // Called in the new process, before the first query.
  using Begin = std::function<Serve(std::size_t worker)>;
  // Called there after each answer was handed over, before the next query is taken.
  using Rest = std::function<void()>;

  // Waits until every process has begun. Requires: this process has one thread. Errors: kData: a
  // process could not be made, or ended at once; kUsage "interrupted".
  static Result<std::unique_ptr<WorkerPool>> start(std::size_t processes, const Begin& begin,
                                                   const Rest& rest = {});
  ~WorkerPool();  // kills what is left
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  std::size_t alive() const;

  // Gives the query to the process that has been free for longest; false: none is free.
  bool put(const Ask& ask);
  bool has_free() const { return !free_.empty(); }

  struct Event {
    std::size_t worker = 0;
    std::optional<Reply> reply;         // nothing: the process has died
    std::optional<std::uint64_t> lost;  // then the number of the query that it had
    std::string how;                    // "signal 9"
  };
  // What has come in, waiting until then (monotonic_ns()) for the first. Errors: kUsage
  // "interrupted".
  Result<std::vector<Event>> wait_until(std::uint64_t deadline_ns);

 private:
  struct Member {
    ChildProcess process;
    FileHandle socket;  // not open: it has died
    std::optional<std::uint64_t> asked;
  };

  WorkerPool() = default;
  Status add(std::size_t worker, const Begin& begin, const Rest& rest);
  Status await_begin();
  Event take(std::size_t worker);

  std::vector<Member> members_;
  std::vector<std::size_t> free_;  // the one that has been free for longest first
};

}  // namespace hdbench::bench
