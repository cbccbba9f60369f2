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
#include <string_view>
#include <utility>
#include <vector>

#include "bench/base/child_process.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// A child process that answers each line with a line; peers' workers run in one.
//
// Its input and output are one socket, so that writing to a dead process is an error and not a
// signal. Its standard error is kept, and the last line explains its death. Its TMPDIR is a
// directory that is removed with it, however it ends.
class PeerProcess {
 public:
  // arguments[0] is looked up as the shell does. stop: once set, waiting for a line ends with an
  // error. Errors: kUsage where there is no such program; kData without space for its directory.
  static Result<std::unique_ptr<PeerProcess>> start(const std::vector<std::string>& arguments,
                                                    const std::atomic<bool>& stop);
  PeerProcess(const PeerProcess&) = delete;
  PeerProcess& operator=(const PeerProcess&) = delete;
  // Ends the process, if it must be by force, waits for it and removes its directory.
  ~PeerProcess();

  // The next line, without its end. Errors: kData saying how the process ended.
  Result<std::string> read_line();
  Result<std::string> ask(std::string_view line);

 private:
  explicit PeerProcess(const std::atomic<bool>& stop) : stop_(stop) {}

  Status spawn_in_folder(const std::vector<std::string>& arguments);

  // Waits for the process; describes how it ended and its last message.
  Error death();
  std::string last_message() const;

  const std::atomic<bool>& stop_;
  std::filesystem::path folder_;
  ChildProcess child_;
  bool is_running_ = false;  // as far as one has seen
  FileHandle socket_;
  FileHandle messages_;
  std::string received_;
  std::string death_;  // once it has ended: what every later question is answered with
};

struct PeerStart {
  std::string python;
  std::filesystem::path script;
  std::string engine;
  std::filesystem::path database;
  std::size_t threads = 1;
  std::filesystem::path queries;  // the file whose queries are run
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
