#include "bench/base/guard.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/capability.h>
#include <poll.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "bench/base/layers.h"
#include "bench/base/report_error.h"
#include "engine/base/check.h"
#include "engine/base/new_file.h"
#include "pmem/base/capabilities.h"
#include "pmem/machine/mount.h"

namespace hdbench::bench {
namespace {

constexpr std::size_t kMessageMax = 8192;
// Messages of one byte, the last ones: that all is undone, and that the guard is to undo it.
constexpr char kDoneWord = '\0';
constexpr char kUndoWord = 'u';
constexpr std::size_t kLeftBytesMax = std::size_t{64} << 10;
constexpr auto kBusyPause = std::chrono::milliseconds(50);

using Patience = std::chrono::milliseconds;

// Tries until it succeeds, fails for another reason than being busy, or patience ends. Gives the
// errno of the last try, 0 for success; what is not there any more is a success.
template <typename Try>
int while_busy(Patience patience, Try attempt) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (true) {
    if (attempt() == 0) return 0;
    if (errno == ENOENT) return 0;
    if (errno != EBUSY || std::chrono::steady_clock::now() > end) return errno;
    std::this_thread::sleep_for(kBusyPause);
  }
}

// Where it is mounted now: the directory may have been moved, with what it lies in.
std::optional<std::filesystem::path> mounted_at(const std::filesystem::path& place) {
  const bool is_named_by_us = place.filename().string().starts_with("hdbench-");
  for (const Mount& mount : read_mounts({})) {
    if (mount.directory == place) return mount.directory;
    if (is_named_by_us && mount.directory.filename() == place.filename()) return mount.directory;
  }
  return std::nullopt;
}

// Nothing: it is mounted no more.
std::string unmount(const std::string& path, Patience patience) {
  const auto place = mounted_at(path);
  if (!place) return {};
  const int failed = while_busy(patience, [&] { return umount2(place->c_str(), UMOUNT_NOFOLLOW); });
  if (failed == EBUSY && umount2(place->c_str(), MNT_DETACH | UMOUNT_NOFOLLOW) == 0) {
    return fmt::format("{}: in use, so only detached: it stays mounted until its last user ends",
                       place->string());
  }
  if (!mounted_at(path)) return {};
  return fmt::format("{}: cannot be unmounted: {}", place->string(),
                     failed == 0 ? "it is still mounted" : std::strerror(failed));
}

// By the name that the directory has now. Processes that are being ended may still make files.
int remove_tree(const std::string& held, Patience patience) {
  std::error_code failed;
  const auto name = std::filesystem::read_symlink(held, failed);
  if (failed || identity_of(name) != identity_of(held)) return 0;
  return while_busy(patience, [&] {
    std::filesystem::remove_all(name, failed);
    errno = failed == std::errc::directory_not_empty ? EBUSY : failed.value();
    return failed ? -1 : 0;
  });
}

// A group with processes cannot be removed: they go to another one first.
int remove_group(const UndoAction& action, Patience patience) {
  return while_busy(patience, [&] {
    std::ifstream members(std::filesystem::path(action.path) / "cgroup.procs");
    long process = 0;
    while (members >> process) {
      std::ofstream(std::filesystem::path(action.to) / "cgroup.procs") << process << '\n';
    }
    return rmdir(action.path.c_str());
  });
}

int errno_of(const UndoAction& action, Patience patience) {
  switch (action.what) {
    case Undo::kUnmount:
    case Undo::kWrite: break;
    case Undo::kRemove:
      return while_busy(patience, [&] { return std::remove(action.path.c_str()); });
    case Undo::kRemoveTree: return remove_tree(action.to, patience);
    case Undo::kRemoveGroup: return remove_group(action, patience);
  }
  return 0;
}

// What is left, in a line; nothing: it is undone.
std::string undo(const UndoAction& action, Patience patience) {
  if (action.what == Undo::kUnmount) return unmount(action.path, patience);
  if (action.what == Undo::kWrite) {
    const Status written = write_setting(action.path, action.to);
    return written.ok() ? std::string() : written.error().message;
  }
  const int failed = errno_of(action, patience);
  if (failed == 0) return {};
  return fmt::format("{}: cannot be removed: {}", action.path, std::strerror(failed));
}

// Of root's power: this process may have given up what the guard still has.
bool takes_more_than_this_has(const UndoAction& action) {
  if (action.what == Undo::kUnmount || action.what == Undo::kWrite)
    return !has_capability(CAP_SYS_ADMIN);
  return action.what == Undo::kRemoveGroup && !has_capability(CAP_DAC_OVERRIDE);
}

// The kind, the path and the other path, each closed by a zero byte: a path has none.
std::string packed(const UndoAction& action) {
  return fmt::format("{}{}{}{}", static_cast<int>(action.what), action.path, '\0', action.to);
}

UndoAction unpacked(const std::string& message) {
  const std::size_t zero = message.find('\0');
  return {static_cast<Undo>(message[0] - '0'), message.substr(1, zero - 1),
          message.substr(zero + 1)};
}

// Ends with the command: that has undone its changes and says so by one byte, or is no more.
[[noreturn]] void guard(int socket, int command) {
  std::vector<UndoAction> actions;
  std::array<char, kMessageMax> buffer;
  bool is_over = false;
  while (!is_over) {
    std::array<pollfd, 2> wait{pollfd{socket, POLLIN, 0}, pollfd{command, POLLIN, 0}};
    if (poll(wait.data(), command >= 0 ? 2 : 1, -1) < 0 && errno != EINTR) break;
    // What was said before the end is still heard.
    ssize_t bytes = 0;
    while ((bytes = recv(socket, buffer.data(), buffer.size(), MSG_DONTWAIT)) > 1) {
      actions.push_back(unpacked(std::string(buffer.data(), static_cast<std::size_t>(bytes))));
    }
    if (bytes == 1 && buffer[0] == kUndoWord) {
      const std::string left = fmt::format("{}", fmt::join(undo_all(actions), "; "));
      (void)send(socket, left.c_str(), left.size() + 1, MSG_NOSIGNAL);
    }
    if (bytes == 1) _exit(0);
    is_over = bytes == 0 || (wait[1].revents & POLLIN) != 0;
  }
  for (const std::string& failure : undo_all(actions)) {
    tell("hdbench: left behind: " + failure);
  }
  _exit(0);
}

void become_guard(int socket, pid_t command) {
  setsid();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) {
    std::signal(signal, SIG_IGN);
  }
  prctl(PR_SET_NAME, "hdbench-guard");
  // Standard error stays: it is where what cannot be undone is reported.
  const int null = open("/dev/null", O_RDWR);
  if (null >= 0) {
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    if (null > STDERR_FILENO) close(null);
  }
  if (chdir("/") != 0) std::fprintf(stderr, "hdbench: /: %s\n", std::strerror(errno));
  const int process = static_cast<int>(syscall(SYS_pidfd_open, command, 0));
  if (process < 0 && errno == ESRCH) shutdown(socket, SHUT_RDWR);
  guard(socket, process);
}

}  // namespace

Status write_setting(const std::filesystem::path& file, const std::string& value) {
  const FileHandle handle(
      open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!handle.is_open()) return file_error(file, "cannot be opened", errno);
  if (write(handle.descriptor(), value.data(), value.size()) < 0)
    return file_error(file, fmt::format("does not take '{}'", value), errno);
  return ok_status();
}

std::vector<std::string> undo_all(const std::vector<UndoAction>& actions, Patience patience) {
  std::vector<std::string> failures;
  for (auto action = actions.rbegin(); action != actions.rend(); ++action) {
    std::string failure = undo(*action, patience);
    if (!failure.empty()) failures.push_back(std::move(failure));
  }
  return failures;
}

Result<std::unique_ptr<Guard>> Guard::start() {
  HDB_ASSIGN(Channel sockets, make_sockets(SOCK_SEQPACKET));
  const pid_t command = getpid();
  HDB_ASSIGN(ChildProcess child, ChildProcess::fork("guard", [&] {
               sockets.first = FileHandle();
               become_guard(sockets.second.descriptor(), command);
             }));
  return std::unique_ptr<Guard>(new Guard(std::move(child), std::move(sockets.first)));
}

Guard::~Guard() {
  const Status status = finish();
  if (!status.ok()) tell("hdbench: " + status.error().message);
}

Status Guard::add(const UndoAction& action) {
  HDB_CHECK(socket_.is_open(), "the guard has not finished");
  const std::string message = packed(action);
  if (message.size() > kMessageMax) return data_error(action.path + ": a path too long to guard");
  if (send(socket_.descriptor(), message.data(), message.size(), MSG_NOSIGNAL) < 0) {
    return file_error("the guard process", "is gone, so nothing more is set up", errno);
  }
  actions_.push_back(action);
  return ok_status();
}

Status Guard::finish() {
  if (!socket_.is_open()) return ok_status();
  std::optional<std::string> left;
  if (std::any_of(actions_.begin(), actions_.end(), takes_more_than_this_has)) {
    left = undone_by_guard();
  }
  if (!left) {
    left = fmt::format("{}", fmt::join(undo_all(actions_), "; "));
    (void)send(socket_.descriptor(), &kDoneWord, 1, MSG_NOSIGNAL);
  }
  actions_.clear();
  socket_ = FileHandle();
  guard_.wait();
  return left->empty() ? ok_status() : Status(data_error("left behind: " + *left));
}

std::optional<std::string> Guard::undone_by_guard() {
  if (send(socket_.descriptor(), &kUndoWord, 1, MSG_NOSIGNAL) < 0) return std::nullopt;
  std::string left(kLeftBytesMax, '\0');
  ssize_t bytes = 0;
  do {
    bytes = recv(socket_.descriptor(), left.data(), left.size(), 0);
  } while (bytes < 0 && errno == EINTR);
  if (bytes <= 0) return std::nullopt;
  left.resize(static_cast<std::size_t>(bytes) - 1);
  return left;
}

}  // namespace hdbench::bench
