// A process that answers a line with a line: what a peer's worker runs in.
//
// Its input and output are one socket, so that writing to a dead one is an error and no signal. It
// is in a process group of its own: Ctrl-C reaches it through this program only. It may use the
// processors that this program was started with: thread pools pin the thread that starts it. What
// it says on standard error is kept, and its last line explains its death.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace hdbench {

class PeerProcess {
 public:
  // arguments[0] is looked up as the shell does. stop: once set, waiting for a line ends with an
  // error. Errors: kUsage where there is no such program.
  static Result<std::unique_ptr<PeerProcess>> start(const std::vector<std::string>& arguments,
                                                    const std::atomic<bool>& stop);
  PeerProcess(const PeerProcess&) = delete;
  PeerProcess& operator=(const PeerProcess&) = delete;
  // Ends the process, if it must be by force, and waits for it.
  ~PeerProcess();

  // The next line, without its end. Errors: kData saying how the process ended.
  Result<std::string> read_line();
  Result<std::string> ask(std::string_view line);

 private:
  PeerProcess(const std::atomic<bool>& stop, pid_t pid, int socket, int messages)
      : stop_(stop), pid_(pid), socket_(socket), messages_(messages) {}

  // How it ended and what it said last; it is waited for.
  Error death();
  std::string last_message() const;

  const std::atomic<bool>& stop_;
  pid_t pid_;
  int socket_;
  int messages_;
  std::string received_;
  std::string death_;  // once it has ended: what every later question is answered with
};

}  // namespace hdbench
