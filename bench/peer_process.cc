#include "bench/peer_process.h"

#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace hdbench {
namespace {

constexpr int kPollMs = 100;
constexpr int kEndPolls = 20;  // two seconds to end by itself

struct Affinity {
  Affinity() { is_known = sched_getaffinity(0, sizeof(mask), &mask) == 0; }
  void apply() const {
    if (is_known) sched_setaffinity(0, sizeof(mask), &mask);
  }

  cpu_set_t mask{};
  bool is_known = false;
};

// Read before main(), while nothing is pinned.
const Affinity kStartAffinity;

struct SpawnSettings {
  SpawnSettings() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

int spawn(const std::vector<std::string>& arguments, int socket, int messages, pid_t& pid) {
  SpawnSettings settings;
  posix_spawn_file_actions_adddup2(&settings.actions, socket, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&settings.actions, socket, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&settings.actions, messages, STDERR_FILENO);
  posix_spawnattr_setflags(&settings.attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<char*> pointers;
  for (const std::string& argument : arguments) {
    pointers.push_back(const_cast<char*>(argument.c_str()));
  }
  pointers.push_back(nullptr);
  const Affinity own;
  kStartAffinity.apply();  // a child inherits it
  const int error = posix_spawnp(&pid, pointers[0], &settings.actions, &settings.attributes,
                                 pointers.data(), environ);
  own.apply();
  return error;
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return fmt::format("ended by signal {}", WTERMSIG(status));
  return fmt::format("ended with status {}", WEXITSTATUS(status));
}

// Waits as long as `polls` say; whether it has ended.
bool reap(pid_t pid, int polls, int& status) {
  for (int i = 0; i <= polls; ++i) {
    const pid_t done = waitpid(pid, &status, WNOHANG);
    if (done != 0) return true;
    poll(nullptr, 0, kPollMs);
  }
  return false;
}

}  // namespace

Result<std::unique_ptr<PeerProcess>> PeerProcess::start(const std::vector<std::string>& arguments,
                                                        const std::atomic<bool>& stop) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return data_error(fmt::format("socketpair: {}", std::strerror(errno)));
  }
  const int messages = memfd_create("peer-messages", MFD_CLOEXEC);
  pid_t pid = 0;
  const int error = messages < 0 ? errno : spawn(arguments, ends[1], messages, pid);
  close(ends[1]);
  if (error == 0) {
    return std::unique_ptr<PeerProcess>(new PeerProcess(stop, pid, ends[0], messages));
  }
  close(ends[0]);
  if (messages >= 0) close(messages);
  return usage_error(fmt::format("{}: {}", arguments[0], std::strerror(error)));
}

PeerProcess::~PeerProcess() {
  close(socket_);
  close(messages_);
  if (pid_ <= 0) return;
  int status = 0;
  if (reap(pid_, stop_ ? 0 : kEndPolls, status)) return;
  kill(-pid_, SIGKILL);
  waitpid(pid_, &status, 0);
}

Result<std::string> PeerProcess::read_line() {
  while (true) {
    const std::size_t end = received_.find('\n');
    if (end != std::string::npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return line;
    }
    if (stop_) return usage_error("interrupted");
    if (pid_ <= 0) return data_error(death_);
    pollfd waiting = {socket_, POLLIN, 0};
    if (poll(&waiting, 1, kPollMs) <= 0) continue;
    char buffer[4096];
    const ssize_t count = recv(socket_, buffer, sizeof(buffer), 0);
    if (count > 0) {
      received_.append(buffer, static_cast<std::size_t>(count));
    } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
      return death();
    }
  }
}

Result<std::string> PeerProcess::ask(std::string_view line) {
  std::string rest = std::string(line) + "\n";
  while (pid_ > 0 && !rest.empty()) {
    const ssize_t count = send(socket_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (count > 0) {
      rest.erase(0, static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      return death();
    }
  }
  return read_line();
}

Error PeerProcess::death() {
  int status = 0;
  if (!reap(pid_, kEndPolls, status)) {
    kill(-pid_, SIGKILL);
    waitpid(pid_, &status, 0);
  }
  pid_ = 0;
  const std::string last = last_message();
  death_ = fmt::format("the worker {}{}{}", how_it_ended(status), last.empty() ? "" : ": ", last);
  return data_error(death_);
}

std::string PeerProcess::last_message() const {
  constexpr off_t kTail = 1024;
  const off_t bytes = lseek(messages_, 0, SEEK_END);
  std::string tail(static_cast<std::size_t>(std::min(bytes, kTail)), '\0');
  const ssize_t count =
      pread(messages_, tail.data(), tail.size(), std::max<off_t>(bytes - kTail, 0));
  tail.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  tail.erase(tail.find_last_not_of(" \n") + 1);
  const std::size_t line = tail.rfind('\n');
  return line == std::string::npos ? tail : tail.substr(line + 1);
}

}  // namespace hdbench
