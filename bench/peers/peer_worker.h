// A peer engine in its worker process (worker.py): loads the database before anything is timed,
// then answers query by query.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "bench/peers/peer_process.h"
#include "engine/base/result.h"

namespace hdbench::bench {

struct PeerStart {
  std::string python;
  std::filesystem::path script;
  std::string engine;
  std::filesystem::path database;
  std::size_t threads = 1;
  std::filesystem::path queries;  // the file whose queries are asked
  double warm_seconds = 0;        // PeerOptions'
};

// The worker's memory with all of its data, and what the machine has left.
struct PeerHeld {
  std::uint64_t held_bytes = 0;    // its own memory
  std::uint64_t mapped_bytes = 0;  // of files, resident
  std::optional<std::uint64_t> available_bytes;
};

// The worker's message once the database is loaded.
struct PeerHello {
  std::string version;
  std::string codes;
  std::string loaded;
  std::map<int, std::string> forms;  // SQL or expression by query
  PeerHeld memory;
  std::map<int, double> startup_ms;  // each query's ms over a table of one row; may say nothing
  // From what a query is answered that does not read its columns; may say nothing.
  std::map<int, std::string> unread;
};

// The correct result (numpy's for the eleven, hdbench's own for all others), and the difference of
// the peer's.
struct PeerProof {
  std::uint64_t rows = 0;
  std::uint64_t checksum = 0;
  std::optional<std::string> difference;
  PeerHeld memory;
};

struct PeerTime {
  double real_ms = 0;
  double cpu_ms = 0;
  std::uint64_t rows = 0;
  PeerHeld memory;
};

class PeerWorker {
 public:
  // Loading begins; hello() waits for it. Errors: PeerProcess's.
  static Result<std::unique_ptr<PeerWorker>> start(const PeerStart& start,
                                                   const std::atomic<bool>& stop);

  // Once, first of all. Errors of this and the others: kData with what the worker said, or how it
  // ended.
  Result<PeerHello> hello();
  Result<PeerProof> verify(int query);
  Result<PeerTime> run(int query);

 private:
  explicit PeerWorker(std::unique_ptr<PeerProcess> process) : process_(std::move(process)) {}

  std::unique_ptr<PeerProcess> process_;
};

}  // namespace hdbench::bench
