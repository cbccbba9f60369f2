#include "bench/peers/peer_process.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "engine/base/new_file.h"
#include "engine/base/write_guard.h"

namespace hdbench::bench {
namespace {

constexpr const char* kFolderName = "hdbench-peer-";  // worker.py knows how it begins
constexpr int kPollMs = 100;
constexpr std::chrono::seconds kEndsBySelf(2);

}  // namespace

Result<std::unique_ptr<PeerProcess>> PeerProcess::start(const std::vector<std::string>& arguments,
                                                        const std::atomic<bool>& stop) {
  HDB_ASSIGN(const std::filesystem::path temporary, temporary_directory());
  std::unique_ptr<PeerProcess> process(new PeerProcess(stop));
  HDB_ASSIGN(process->folder_, make_new_directory(temporary, kFolderName));
  HDB_TRY(process->spawn_in_folder(arguments));
  return process;
}

Status PeerProcess::spawn_in_folder(const std::vector<std::string>& arguments) {
  HDB_ASSIGN(Channel sockets, make_sockets(SOCK_STREAM));
  messages_ = FileHandle(::memfd_create("peer-messages", MFD_CLOEXEC));
  if (!messages_.is_open()) return file_error(arguments[0], "no room for its messages", errno);
  const int its = sockets.second.descriptor();
  HDB_ASSIGN(child_, ChildProcess::start(arguments, {its, its, messages_.descriptor()},
                                         "TMPDIR=" + folder_.string()));
  socket_ = std::move(sockets.first);
  is_running_ = true;
  return ok_status();
}

PeerProcess::~PeerProcess() {
  socket_ = FileHandle();
  child_.end(stop_ ? std::chrono::seconds(0) : kEndsBySelf);
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
    if (!is_running_) return data_error(death_);
    pollfd waiting = {socket_.descriptor(), POLLIN, 0};
    if (poll(&waiting, 1, kPollMs) <= 0) continue;
    char buffer[4096];
    const ssize_t count = recv(socket_.descriptor(), buffer, sizeof(buffer), 0);
    if (count > 0) {
      received_.append(buffer, static_cast<std::size_t>(count));
    } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
      return death();
    }
  }
}

Result<std::string> PeerProcess::ask(std::string_view line) {
  std::string rest = std::string(line) + "\n";
  while (is_running_ && !rest.empty()) {
    if (stop_) return usage_error("interrupted");
    pollfd waiting = {socket_.descriptor(), POLLOUT, 0};
    if (poll(&waiting, 1, kPollMs) <= 0) continue;
    const ssize_t count =
        send(socket_.descriptor(), rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) {
      rest.erase(0, static_cast<std::size_t>(count));
    } else if (errno != EINTR && errno != EAGAIN) {
      return death();
    }
  }
  return read_line();
}

Error PeerProcess::death() {
  child_.end(kEndsBySelf);
  is_running_ = false;
  const std::string last = last_message();
  death_ = fmt::format("the worker ended {} {}{}{}", child_.signal() != 0 ? "by" : "with",
                       child_.how_it_ended(), last.empty() ? "" : ": ", last);
  return data_error(death_);
}

std::string PeerProcess::last_message() const {
  constexpr off_t kTail = 1024;
  const off_t bytes = lseek(messages_.descriptor(), 0, SEEK_END);
  std::string tail(static_cast<std::size_t>(std::min(bytes, kTail)), '\0');
  const ssize_t count =
      pread(messages_.descriptor(), tail.data(), tail.size(), std::max<off_t>(bytes - kTail, 0));
  tail.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  tail.erase(tail.find_last_not_of(" \n") + 1);
  const std::size_t line = tail.rfind('\n');
  return line == std::string::npos ? tail : tail.substr(line + 1);
}

}  // namespace hdbench::bench
