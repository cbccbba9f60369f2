#include "bench/base/guard.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "bench/base/report_error.h"
#include "engine/base/check.h"
#include "engine/base/new_file.h"

namespace hdbench {
namespace {

constexpr std::size_t kMessageMax = 8192;
constexpr auto kBusyPatience = std::chrono::seconds(8);
constexpr auto kBusyPause = std::chrono::milliseconds(50);

// Tries until it succeeds, fails for another reason than being busy, or patience ends. Gives the
// errno of the last try, 0 for success; what is not there any more is a success.
template <typename Try>
int while_busy(Try attempt) {
  const auto end = std::chrono::steady_clock::now() + kBusyPatience;
  while (true) {
    if (attempt() == 0) return 0;
    if (errno == ENOENT) return 0;
    if (errno != EBUSY || std::chrono::steady_clock::now() > end) return errno;
    std::this_thread::sleep_for(kBusyPause);
  }
}

int unmount(const std::string& path) {
  const int failed = while_busy([&] { return umount2(path.c_str(), UMOUNT_NOFOLLOW); });
  if (failed == EINVAL) return 0;  // it is no mount (any more)
  if (failed != EBUSY) return failed;
  return umount2(path.c_str(), MNT_DETACH) == 0 ? 0 : errno;
}

// By the name that the directory has now. Processes that are being ended may still make files.
int remove_tree(const std::string& held) {
  std::error_code failed;
  const auto name = std::filesystem::read_symlink(held, failed);
  if (failed || identity_of(name) != identity_of(held)) return 0;
  return while_busy([&] {
    std::filesystem::remove_all(name, failed);
    errno = failed == std::errc::directory_not_empty ? EBUSY : failed.value();
    return failed ? -1 : 0;
  });
}

// A group with processes cannot be removed: they go to another one first.
int remove_group(const UndoAction& action) {
  return while_busy([&] {
    std::ifstream members(std::filesystem::path(action.path) / "cgroup.procs");
    long process = 0;
    while (members >> process) {
      std::ofstream(std::filesystem::path(action.to) / "cgroup.procs") << process << '\n';
    }
    return rmdir(action.path.c_str());
  });
}

int remove_zram(const std::string& number) {
  if (access(("/sys/block/zram" + number).c_str(), F_OK) != 0) return 0;
  return while_busy([&] {
    const FileHandle control(open("/sys/class/zram-control/hot_remove", O_WRONLY | O_CLOEXEC));
    if (!control.is_open()) return -1;
    return write(control.descriptor(), number.data(), number.size()) < 0 ? -1 : 0;
  });
}

int restore(const UndoAction& action) {
  const FileHandle file(open(action.path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  if (!file.is_open()) return errno == ENOENT ? 0 : errno;
  return write(file.descriptor(), action.to.data(), action.to.size()) < 0 ? errno : 0;
}

const char* word_of(Undo what) {
  if (what == Undo::kUnmount) return "unmounted";
  return what == Undo::kRestore ? "restored" : "removed";
}

int undo(const UndoAction& action) {
  switch (action.what) {
    case Undo::kUnmount: return unmount(action.path);
    case Undo::kRemove: return while_busy([&] { return std::remove(action.path.c_str()); });
    case Undo::kRemoveTree: return remove_tree(action.to);
    case Undo::kRemoveGroup: return remove_group(action);
    case Undo::kRemoveZram: return remove_zram(action.path);
    case Undo::kRestore: return restore(action);
  }
  return 0;
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
  // Standard error stays: it is where what cannot be undone is told.
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

std::vector<std::string> undo_all(const std::vector<UndoAction>& actions) {
  std::vector<std::string> failures;
  for (auto action = actions.rbegin(); action != actions.rend(); ++action) {
    const int failed = undo(*action);
    if (failed == 0) continue;
    failures.push_back(fmt::format("{}: cannot be {}: {}", action->path, word_of(action->what),
                                   std::strerror(failed)));
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
  const std::vector<std::string> failures = undo_all(actions_);
  actions_.clear();
  (void)send(socket_.descriptor(), "", 1, MSG_NOSIGNAL);
  socket_ = FileHandle();
  guard_.wait();
  if (failures.empty()) return ok_status();
  return data_error(fmt::format("left behind: {}", fmt::join(failures, "; ")));
}

}  // namespace hdbench
