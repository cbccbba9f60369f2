// Child processes: copies of this program, commands, and the pipes and sockets to them. All that
// forks or waits for a process does so here.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/file_handle.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// A command does not inherit the ends.
struct Channel {
  FileHandle first;  // of a pipe: the end that reads
  FileHandle second;
};
Result<Channel> make_pipe();
// kind: SOCK_STREAM, SOCK_SEQPACKET.
Result<Channel> make_sockets(int kind);

class ChildProcess {
 public:
  struct Files {
    int input;
    int output;
    int messages;
  };

  // A copy of this process that does the work and ends, with status 1 where the work throws;
  // nothing else of the copy is destroyed. what: named in the error. Errors: kData.
  static Result<ChildProcess> fork(const std::string& what, const std::function<void()>& work);

  // A command; words[0] is looked up as the shell does. It is in a process group of its own, so
  // Ctrl-C reaches it through this program only, and it may use all processors that this program
  // was started with, as a thread pool pins its creator. variable: "NAME=value", in place of this
  // program's own. Errors: kUsage where there is no such program.
  static Result<ChildProcess> start(const std::vector<std::string>& words, Files files,
                                    const std::string& variable = {});

  ChildProcess() = default;  // none
  ChildProcess(ChildProcess&& other) noexcept { *this = std::move(other); }
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess() { end(); }

  bool is_running();
  void wait();
  // By SIGKILL, a command's whole group. Does not wait.
  void kill();
  // By SIGTERM, this process alone.
  void interrupt();
  // Waits; kills it where patience ends.
  void end(std::chrono::milliseconds patience = {});

  // Once it has ended: the signal that ended it, 0: none; "signal 9" or "status 3".
  int signal() const;
  std::string how_it_ended() const;

 private:
  ChildProcess(pid_t pid, bool leads_group) : pid_(pid), leads_group_(leads_group) {}

  pid_t pid_ = 0;  // 0: none, or it has ended
  bool leads_group_ = false;
  int status_ = 0;
};

// In a copy of this process: it ends when the parent does, however that ends, and leaves Ctrl-C to
// it.
void end_with(pid_t parent);

constexpr std::chrono::milliseconds kCommandLimit = std::chrono::minutes(10);

// Runs a command to its end without input, such as mkfs.xfs, also if it lies in a directory that an
// ordinary user's PATH lacks (/usr/sbin, /sbin or /usr/local/sbin). Gives what it wrote, messages
// included. Errors: kData, naming words[0], with its status and the last line that it wrote, or
// that the time is over; kUsage "interrupted". Then it has been ended.
Result<std::string> run_command(const std::vector<std::string>& words,
                                std::chrono::milliseconds limit = kCommandLimit);

bool has_command(const std::string& name);

}  // namespace hdbench::bench
