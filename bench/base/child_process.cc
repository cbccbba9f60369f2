#include "bench/base/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

#include "bench/base/interrupt.h"

namespace hdbench::bench {
namespace {

using ChildClock = std::chrono::steady_clock;

constexpr int kChildPollMs = 20;

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

constexpr int kFailedWork = 1;

// This program's own, but for the one given ("NAME=value"; empty: none).
std::vector<std::string> environment_with(const std::string& given) {
  std::vector<std::string> variables;
  if (!given.empty()) variables.push_back(given);
  const std::string name = given.substr(0, given.find('=') + 1);
  for (char** own = environ; *own != nullptr; ++own) {
    if (name.empty() || !std::string_view(*own).starts_with(name)) variables.emplace_back(*own);
  }
  return variables;
}

}  // namespace

Result<Channel> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return file_error("a pipe", "cannot be made", errno);
  return Channel{FileHandle(ends[0]), FileHandle(ends[1])};
}

Result<Channel> make_sockets(int kind) {
  int ends[2];
  if (::socketpair(AF_UNIX, kind | SOCK_CLOEXEC, 0, ends) != 0) {
    return file_error("a socket", "cannot be made", errno);
  }
  return Channel{FileHandle(ends[0]), FileHandle(ends[1])};
}

void end_with(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it died before that was requested
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_DFL);
}

Result<ChildProcess> ChildProcess::fork(const std::string& what,
                                        const std::function<void()>& work) {
  const pid_t pid = ::fork();
  if (pid < 0) return file_error(what, "no fork", errno);
  if (pid > 0) return ChildProcess(pid, false);
  // An exception must not leave this function: above it are the parent's own objects, whose
  // directories and files the copies would remove.
  int status = 0;
  try {
    work();
  } catch (...) {
    status = kFailedWork;
  }
  _exit(status);
}

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& words, Files files,
                                         const std::string& variable) {
  SpawnSettings settings;
  posix_spawn_file_actions_adddup2(&settings.actions, files.input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&settings.actions, files.output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&settings.actions, files.messages, STDERR_FILENO);
  posix_spawnattr_setflags(&settings.attributes, POSIX_SPAWN_SETPGROUP);
  const std::vector<std::string> environment = environment_with(variable);
  const Affinity own;
  kStartAffinity.apply();  // a child inherits it
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, words[0].c_str(), &settings.actions, &settings.attributes,
                                 pointers_of(words).data(), pointers_of(environment).data());
  own.apply();
  if (error != 0) return usage_error(fmt::format("{}: {}", words[0], std::strerror(error)));
  return ChildProcess(pid, true);
}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this == &other) return *this;
  end();
  pid_ = std::exchange(other.pid_, 0);
  leads_group_ = other.leads_group_;
  status_ = other.status_;
  return *this;
}

bool ChildProcess::is_running() {
  if (pid_ > 0 && ::waitpid(pid_, &status_, WNOHANG) != 0) pid_ = 0;
  return pid_ > 0;
}

void ChildProcess::wait() {
  while (pid_ > 0 && ::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) continue;
  pid_ = 0;
}

void ChildProcess::kill() {
  if (pid_ > 0) ::kill(leads_group_ ? -pid_ : pid_, SIGKILL);
}

void ChildProcess::interrupt() {
  if (pid_ > 0) ::kill(pid_, SIGTERM);
}

void ChildProcess::end(std::chrono::milliseconds patience) {
  const auto last = ChildClock::now() + patience;
  while (is_running() && ChildClock::now() < last) ::poll(nullptr, 0, kChildPollMs);
  kill();
  wait();
}

int ChildProcess::signal() const { return WIFSIGNALED(status_) ? WTERMSIG(status_) : 0; }

std::string ChildProcess::how_it_ended() const {
  if (WIFSIGNALED(status_)) return fmt::format("signal {}", WTERMSIG(status_));
  return fmt::format("status {}", WEXITSTATUS(status_));
}

Result<std::string> run_command(const std::vector<std::string>& words,
                                std::chrono::milliseconds limit) {
  std::vector<std::string> shell{
      "sh", "-c", "PATH=${PATH:+$PATH:}/usr/sbin:/sbin:/usr/local/sbin; \"$@\"", "sh"};
  shell.insert(shell.end(), words.begin(), words.end());
  const FileHandle null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  HDB_ASSIGN(Channel pipe, make_pipe());
  const int writer = pipe.second.descriptor();
  HDB_ASSIGN(ChildProcess child, ChildProcess::start(shell, {null.descriptor(), writer, writer}));
  pipe.second = FileHandle();
  const auto end = ChildClock::now() + limit;
  const bool was_interrupted = interrupted().load();  // then it cleans up
  std::string said;
  bool is_open = true;
  while (is_open || child.is_running()) {
    if (!was_interrupted && interrupted().load()) return usage_error("interrupted");
    if (ChildClock::now() >= end) {
      return data_error(fmt::format("{}: not over after {} ms", words[0], limit.count()));
    }
    pollfd waited{is_open ? pipe.first.descriptor() : -1, POLLIN, 0};
    if (::poll(&waited, 1, kChildPollMs) <= 0) continue;
    char piece[4096];
    const ssize_t got = ::read(pipe.first.descriptor(), piece, sizeof(piece));
    if (got > 0) said.append(piece, static_cast<std::size_t>(got));
    is_open = got > 0 || (got < 0 && errno == EINTR);
  }
  if (child.how_it_ended() == "status 0") return said;
  said.erase(said.find_last_not_of(" \t\r\n") + 1);
  return data_error(
      fmt::format("{}: {}: {}", words[0], child.how_it_ended(), said.substr(said.rfind('\n') + 1)));
}

bool has_command(const std::string& name) { return run_command({"command", "-v", name}).ok(); }

}  // namespace hdbench::bench
