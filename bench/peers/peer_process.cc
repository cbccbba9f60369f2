#include "bench/peers/peer_process.h"

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
#include <cstdlib>
#include <cstring>

#include "engine/base/new_file.h"
#include "engine/base/write_guard.h"

namespace hdbench {
namespace {

constexpr const char* kFolderName = "hdbench-peer-";  // worker.py knows how it begins
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

// For an argument or an environment: with the null that ends it.
std::vector<char*> pointers_of(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// This program's own, but for where temporary files go.
std::vector<std::string> environment_with(const std::filesystem::path& folder) {
  std::vector<std::string> variables = {"TMPDIR=" + folder.string()};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with("TMPDIR=")) variables.emplace_back(*variable);
  }
  return variables;
}

struct ChildFiles {
  int socket = -1;
  int messages = -1;
};

int spawn(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
          ChildFiles files, pid_t& pid) {
  SpawnSettings settings;
  posix_spawn_file_actions_adddup2(&settings.actions, files.socket, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&settings.actions, files.socket, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&settings.actions, files.messages, STDERR_FILENO);
  posix_spawnattr_setflags(&settings.attributes, POSIX_SPAWN_SETPGROUP);
  const Affinity own;
  kStartAffinity.apply();  // a child inherits it
  const int error =
      posix_spawnp(&pid, arguments[0].c_str(), &settings.actions, &settings.attributes,
                   pointers_of(arguments).data(), pointers_of(environment).data());
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
  HDB_ASSIGN(const std::filesystem::path temporary, temporary_directory());
  HDB_ASSIGN(const std::filesystem::path folder, make_new_directory(temporary, kFolderName));
  std::unique_ptr<PeerProcess> process(new PeerProcess(stop, folder));
  HDB_TRY(process->spawn_in_folder(arguments));
  return process;
}

Status PeerProcess::spawn_in_folder(const std::vector<std::string>& arguments) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return data_error(fmt::format("socketpair: {}", std::strerror(errno)));
  }
  socket_ = ends[0];
  messages_ = memfd_create("peer-messages", MFD_CLOEXEC);
  pid_t pid = 0;
  const int error = messages_ < 0
                        ? errno
                        : spawn(arguments, environment_with(folder_), {ends[1], messages_}, pid);
  close(ends[1]);
  if (error != 0) return usage_error(fmt::format("{}: {}", arguments[0], std::strerror(error)));
  pid_ = pid;
  return ok_status();
}

PeerProcess::~PeerProcess() {
  if (socket_ >= 0) close(socket_);
  if (messages_ >= 0) close(messages_);
  int status = 0;
  if (pid_ > 0 && !reap(pid_, stop_ ? 0 : kEndPolls, status)) {
    kill(-pid_, SIGKILL);
    waitpid(pid_, &status, 0);
  }
  std::error_code error;
  std::filesystem::remove_all(folder_, error);
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
