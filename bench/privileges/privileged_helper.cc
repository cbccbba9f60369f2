#include "bench/privileges/privileged_helper.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/base/interrupt.h"
#include "bench/base/layers.h"
#include "pmem/base/capabilities.h"
#include "pmem/memory/cache_state.h"

namespace hdbench::bench {
namespace {

constexpr int kHelperPollMs = 50;
constexpr std::chrono::seconds kHelperPatience(10);

// The first byte of an answer.
enum Answer : char { kText = 't', kDataAnswer = 'd', kOtherAnswer = 'u' };

enum class Arrival { kWhole, kEnd, kInterrupted };

// Whole, or the other side has ended. stops: gives kInterrupted, once, where an interrupt comes.
Arrival receive(int socket, void* target, std::size_t bytes, const std::function<bool()>& stops) {
  auto* at = static_cast<char*>(target);
  while (bytes > 0) {
    if (stops()) return Arrival::kInterrupted;
    pollfd waited{socket, POLLIN, 0};
    if (::poll(&waited, 1, kHelperPollMs) <= 0) continue;
    const ssize_t got = ::recv(socket, at, bytes, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return Arrival::kEnd;
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return Arrival::kWhole;
}

bool send_text(int socket, std::string_view text) {
  const std::uint64_t bytes = text.size();
  std::string message(reinterpret_cast<const char*>(&bytes), sizeof(bytes));
  message += text;
  for (std::size_t at = 0; at < message.size();) {
    const ssize_t sent = ::send(socket, message.data() + at, message.size() - at, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += static_cast<std::size_t>(sent);
  }
  return true;
}

// Nothing: the other side has ended, or says what it may not.
std::optional<std::string> receive_text(int socket, const std::function<bool()>& stops) {
  std::uint64_t bytes = 0;
  if (receive(socket, &bytes, sizeof(bytes), stops) != Arrival::kWhole) return std::nullopt;
  if (bytes > PrivilegedHelper::kRequestMax) return std::nullopt;
  std::string text(bytes, '\0');
  if (receive(socket, text.data(), text.size(), stops) != Arrival::kWhole) return std::nullopt;
  return text;
}

std::string answer_of(const PrivilegedTask& task, std::string_view request) {
  try {
    const Result<std::string> done = task(request);
    if (done.ok()) return std::string(1, kText) + *done;
    const bool is_data = done.error().kind == ErrorKind::kData;
    return std::string(1, is_data ? kDataAnswer : kOtherAnswer) + done.error().message;
  } catch (const std::exception& error) {
    return std::string(1, kDataAnswer) + error.what();
  }
}

// Ends with the program: its children may hold the socket's other end open. Sleeps meanwhile.
void serve(int socket, int program, const PrivilegedTask& task) {
  const auto is_over = [&] {
    pollfd ended{program, POLLIN, 0};
    return program >= 0 && ::poll(&ended, 1, 0) > 0;
  };
  while (true) {
    std::array<pollfd, 2> waited{pollfd{socket, POLLIN, 0}, pollfd{program, POLLIN, 0}};
    if (::poll(waited.data(), program >= 0 ? 2 : 1, -1) < 0 && errno != EINTR) return;
    if (waited[0].revents == 0 && waited[1].revents == 0) continue;
    const auto request = receive_text(socket, is_over);
    if (!request || !send_text(socket, answer_of(task, *request))) return;
  }
}

void become_helper(const std::string& name, std::uint64_t capabilities, pid_t program) {
  setsid();
  for (const int signal : {SIGINT, SIGHUP, SIGQUIT, SIGPIPE}) std::signal(signal, SIG_IGN);
  prctl(PR_SET_NAME, name.c_str());
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null >= 0) {
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
  }
  if (chdir("/") != 0 || getppid() != program) _exit(1);
  if (!keep_capabilities(capabilities).ok()) _exit(1);
}

// Of texts that hold no zero byte: each ends with one.
std::string zero_ended(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += text + '\0';
  return joined;
}

std::vector<std::string> texts_of(std::string_view joined) {
  std::vector<std::string> texts;
  for (std::size_t end = 0; (end = joined.find('\0')) != std::string_view::npos;) {
    texts.emplace_back(joined.substr(0, end));
    joined.remove_prefix(end + 1);
  }
  return texts;
}

bool has_argument(int argc, const char* const* argv, std::string_view begin) {
  return std::any_of(argv, argv + argc,
                     [&](const char* word) { return std::string_view(word).starts_with(begin); });
}

bool asks_for_caches(int argc, const char* const* argv) {
  const std::string_view command = argc > 1 ? argv[1] : "";
  return command == "run" || command == "limit" ||
         (command == "query" && has_argument(argc, argv, "--cache"));
}

Result<std::string> drop_on_request(std::string_view) {
  drop_page_cache();
  return std::string();
}

}  // namespace

Result<std::unique_ptr<PrivilegedHelper>> PrivilegedHelper::start(const std::string& name,
                                                                  std::uint64_t capabilities,
                                                                  const PrivilegedTask& task) {
  HDB_ASSIGN(Channel sockets, make_sockets(SOCK_STREAM));
  const pid_t program = getpid();
  HDB_ASSIGN(ChildProcess child, ChildProcess::fork(name, [&] {
               sockets.first = FileHandle();
               const FileHandle process(static_cast<int>(syscall(SYS_pidfd_open, program, 0)));
               become_helper(name, capabilities, program);
               serve(sockets.second.descriptor(), process.descriptor(), task);
             }));
  return std::unique_ptr<PrivilegedHelper>(
      new PrivilegedHelper(name, std::move(child), std::move(sockets.first)));
}

PrivilegedHelper::~PrivilegedHelper() {
  ::shutdown(socket_.descriptor(), SHUT_RDWR);  // whoever else inherited it
  process_.end(kHelperPatience);
}

Result<std::string> PrivilegedHelper::ask(std::string_view request) {
  if (!send_text(socket_.descriptor(), request.substr(0, kRequestMax))) return gone();
  bool was_told = interrupted().load();  // then it cleans up
  const auto tell = [&] {
    if (!was_told && interrupted().load()) {
      was_told = true;
      process_.interrupt();
    }
    return false;
  };
  const auto answer = receive_text(socket_.descriptor(), tell);
  if (!answer || answer->empty()) return gone();
  std::string text = answer->substr(1);
  switch (answer->front()) {
    case kText: return text;
    case kOtherAnswer: return usage_error(std::move(text));
    default: return data_error(std::move(text));
  }
}

Error PrivilegedHelper::gone() const { return data_error(name_ + ": this process has ended"); }

Result<RootHelpers> RootHelpers::start(int argc, const char* const* argv) {
  RootHelpers helpers;
  if (read_capabilities().permitted == 0) return helpers;
  if (has_argument(argc, argv, "--drop-caches")) {
    HDB_ASSIGN(helpers.caches_, PrivilegedHelper::start("hdbench-caches", 0, drop_on_request));
    privileged_tasks().drop_page_cache = [helper = helpers.caches_.get()] {
      (void)helper->ask("drop").ok();  // what remains resident is reported by its proof
    };
  }
  if (asks_for_caches(argc, argv)) {
    const auto find = [own = ::getpid()](std::string_view names) -> Result<std::string> {
      return zero_ended(processes_that_map(texts_of(names), own));
    };
    HDB_ASSIGN(helpers.holders_,
               PrivilegedHelper::start("hdbench-holders", capability_bit(CAP_SYS_PTRACE), find));
    privileged_tasks().find_holders = [helper = helpers.holders_.get()](const auto& names) {
      const Result<std::string> found = helper->ask(zero_ended(names));
      return found.ok() ? texts_of(*found) : std::vector<std::string>();
    };
  }
  return helpers;
}

RootHelpers::~RootHelpers() {
  if (caches_) privileged_tasks().drop_page_cache = nullptr;
  if (holders_) privileged_tasks().find_holders = nullptr;
}

}  // namespace hdbench::bench
