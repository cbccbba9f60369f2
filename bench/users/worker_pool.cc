#include "bench/users/worker_pool.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <new>
#include <string_view>

#include "bench/base/interrupt.h"
#include "bench/base/process_group.h"

namespace hdbench::bench {
namespace {

constexpr std::uint64_t kBegun = ~std::uint64_t{0};
constexpr std::uint64_t kNsAMs = 1'000'000;
// A wait looks so often whether Ctrl-C came.
constexpr std::uint64_t kLookEveryNs = 100 * kNsAMs;

// A device that fails under a mapping ends the process: the parent says which signal it was.
[[noreturn]] void serve_until_end(int socket, std::size_t worker, const WorkerPool::Begin& begin,
                                  const WorkerPool::Rest& rest) {
  std::signal(SIGBUS, SIG_DFL);
  WorkerPool::Serve serve;
  Reply begun;
  try {
    serve = begin(worker);
    begun.number = kBegun;
  } catch (const std::exception& error) {
    begun.fail(error.what());
  }
  const bool is_sent = ::send(socket, &begun, sizeof(begun), MSG_NOSIGNAL) == sizeof(begun);
  if (!is_sent || begun.number != kBegun) ::_exit(1);
  for (;;) {
    Ask ask;
    const ssize_t got = ::recv(socket, &ask, sizeof(ask), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got != sizeof(ask)) ::_exit(0);
    Reply answer;
    answer.number = ask.number;
    answer.query = ask.query;
    answer.begin_ns = monotonic_ns();
    // Every query has an answer: one without would keep its user waiting for ever.
    try {
      serve(ask, answer);
    } catch (const std::bad_alloc&) {
      answer.fail("out of memory");
    } catch (const std::exception& error) {
      answer.fail(error.what());
    }
    answer.end_ns = monotonic_ns();
    if (::send(socket, &answer, sizeof(answer), MSG_NOSIGNAL) != sizeof(answer)) ::_exit(0);
    if (rest) rest();
  }
}

}  // namespace

void Reply::fail(std::string_view message) {
  has_result = false;
  const std::size_t length = std::min(message.size(), error.size() - 1);
  std::memcpy(error.data(), message.data(), length);
}

Result<std::unique_ptr<WorkerPool>> WorkerPool::start(std::size_t processes, const Begin& begin,
                                                      const Rest& rest) {
  std::unique_ptr<WorkerPool> pool(new WorkerPool());
  for (std::size_t worker = 0; worker < processes; ++worker)
    HDB_TRY(pool->add(worker, begin, rest));
  HDB_TRY(pool->await_begin());
  return pool;
}

WorkerPool::~WorkerPool() {
  for (Member& member : members_) member.process.kill();
}

Status WorkerPool::add(std::size_t worker, const Begin& begin, const Rest& rest) {
  HDB_ASSIGN(Channel sockets, make_sockets(SOCK_SEQPACKET));
  const pid_t parent = ::getpid();
  HDB_ASSIGN(ChildProcess process,
             ChildProcess::fork(fmt::format("process {} of the pool", worker + 1), [&] {
               end_with(parent);
               for (Member& other : members_) other.socket = FileHandle();
               sockets.first = FileHandle();
               serve_until_end(sockets.second.descriptor(), worker, begin, rest);
             }));
  members_.push_back({std::move(process), std::move(sockets.first), std::nullopt});
  return ok_status();
}

Status WorkerPool::await_begin() {
  while (free_.size() < members_.size()) {
    HDB_ASSIGN(const std::vector<Event> events, wait_until(monotonic_ns() + kLookEveryNs));
    for (const Event& event : events) {
      if (event.reply && event.reply->number == kBegun) continue;
      const std::string why = event.reply ? event.reply->error.data() : event.how;
      return data_error(fmt::format("process {} of {} could not begin: {}", event.worker + 1,
                                    members_.size(), why));
    }
  }
  return ok_status();
}

std::size_t WorkerPool::alive() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      members_, [](const Member& member) { return member.socket.is_open(); }));
}

bool WorkerPool::put(const Ask& ask) {
  if (free_.empty()) return false;
  Member& member = members_[free_.front()];
  free_.erase(free_.begin());
  member.asked = ask.number;
  // One that has died meanwhile: wait_until() tells.
  static_cast<void>(::send(member.socket.descriptor(), &ask, sizeof(ask), MSG_NOSIGNAL));
  return true;
}

Result<std::vector<WorkerPool::Event>> WorkerPool::wait_until(std::uint64_t deadline_ns) {
  std::vector<pollfd> waited;
  std::vector<std::size_t> workers;
  for (std::size_t worker = 0; worker < members_.size(); ++worker) {
    if (!members_[worker].socket.is_open()) continue;
    waited.push_back({members_[worker].socket.descriptor(), POLLIN, 0});
    workers.push_back(worker);
  }
  std::vector<Event> events;
  for (;;) {
    if (interrupted().load()) return usage_error("interrupted");
    const std::uint64_t now = monotonic_ns();
    const std::uint64_t left = std::min(deadline_ns > now ? deadline_ns - now : 0, kLookEveryNs);
    const timespec patience{0, static_cast<long>(left)};
    if (::ppoll(waited.data(), waited.size(), &patience, nullptr) > 0) break;
    if (now + left >= deadline_ns) return events;
  }
  for (std::size_t at = 0; at < waited.size(); ++at) {
    if (waited[at].revents != 0) events.push_back(take(workers[at]));
  }
  return events;
}

WorkerPool::Event WorkerPool::take(std::size_t worker) {
  Member& member = members_[worker];
  Event event{worker, {}, {}, {}};
  Reply answer;
  if (::recv(member.socket.descriptor(), &answer, sizeof(answer), 0) == sizeof(answer)) {
    event.reply = answer;
    free_.push_back(worker);
  } else {
    member.socket = FileHandle();
    std::erase(free_, worker);
    member.process.wait();
    event.lost = member.asked;
    event.how = member.process.how_it_ended();
  }
  member.asked.reset();
  return event;
}

}  // namespace hdbench::bench
