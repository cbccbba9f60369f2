// A child process that answers each line with a line; peers' workers run in one.
//
// Its input and output are one socket, so that writing to a dead process is an error and not a
// signal. Its standard error is kept, and the last line explains its death. Its TMPDIR is a
// directory that is removed with it, however it ends.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/base/child_process.h"
#include "engine/base/result.h"

namespace hdbench::bench {

class PeerProcess {
 public:
  // arguments[0] is looked up as the shell does. stop: once set, waiting for a line ends with an
  // error. Errors: kUsage where there is no such program; kData without room for its directory.
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

}  // namespace hdbench::bench
