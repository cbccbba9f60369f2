#include "engine/base/thread_pool.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/task_shares.h"

namespace hdbench {
namespace {

// How long a worker looks for work before it sleeps, so that neither the steps of a query nor short
// queries one after another pay a wake-up each: on a virtual machine that is tenths of a
// millisecond.
constexpr std::chrono::microseconds kSpin{2000};

// The first CPU of "0,4" or "0-1": a core's name. Nothing sensible there: the CPU itself.
int core_of(int cpu, const std::filesystem::path& topology) {
  int first = cpu;
  std::ifstream siblings(topology / "thread_siblings_list");
  return siblings >> first && first >= 0 && first < cpu ? first : cpu;
}

int socket_of(const std::filesystem::path& topology) {
  int socket = 0;
  std::ifstream(topology / "physical_package_id") >> socket;
  return socket;
}

// Whether other processes run on the same CPUs (leave_cpus_to_others()).
bool are_cpus_shared = false;

void pin_to(int cpu) {
  if (are_cpus_shared) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  // A refusal (a container's rules) costs speed, not truth.
  pthread_setaffinity_np(pthread_self(), sizeof(one), &one);
}

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// Looks at `done` until it holds, so long at most.
template <typename Done>
void spin_until(const Done& done, std::chrono::microseconds longest) {
  if (longest.count() == 0) return;
  constexpr int kLooks = 64;
  const auto end = std::chrono::steady_clock::now() + longest;
  do {
    for (int look = 0; look < kLooks; ++look) {
      if (done()) return;
      pause();
    }
  } while (std::chrono::steady_clock::now() < end);
}

std::vector<int>& cpus_in_order() {
  static std::vector<int> cpus = find_usable_cpus();
  return cpus;
}

// The last generation that a worker has seen.
struct alignas(64) Seen {
  std::atomic<std::uint64_t> generation{0};
};

}  // namespace

struct ThreadPool::State {
  using Work = std::function<void(std::size_t, std::size_t)>;

  std::size_t size = 1;
  // Threads that share a CPU do not spin: one would keep another from its work.
  std::chrono::microseconds spin = kSpin;
  std::vector<std::thread> threads;
  cpu_set_t caller_affinity{};
  bool caller_pinned = false;

  // Odd while a run is open to workers; two further on where they are only to wake. A worker takes
  // part when it could count itself into `inside` and the run was still open then; run() closes it
  // and waits for those inside.
  std::atomic<std::uint64_t> generation{0};
  std::atomic<bool> quit{false};
  std::atomic<std::size_t> ready{0};  // workers that have started
  std::vector<Seen> seen_by;          // by worker
  alignas(64) std::atomic<std::size_t> inside{0};

  // The current run.
  const Work* work = nullptr;
  std::optional<TaskShares> shares;
  alignas(64) std::atomic<std::uint64_t> failed_task{UINT64_MAX};
  std::mutex failure_mutex;
  std::exception_ptr failure;

  RehearsalObserver* observer = nullptr;  // null: threads do the work

  void set_size(std::size_t workers) {
    HDB_CHECK(workers >= 1, "a pool has at least one thread");
    size = workers;
    std::vector<int> nodes;
    for (std::size_t worker = 0; worker < workers; ++worker)
      nodes.push_back(node_of_cpu(cpu_of(worker)));
    shares.emplace(nodes);
  }

  void run_task(std::size_t task, std::size_t worker) {
    if (task > failed_task.load(std::memory_order_relaxed)) return;
    try {
      (*work)(task, worker);
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      if (task > failed_task.load(std::memory_order_relaxed)) return;
      failure = std::current_exception();
      failed_task.store(task, std::memory_order_relaxed);
    }
  }

  void take_tasks(std::size_t worker) {
    while (const auto task = shares->next(worker)) run_task(*task, worker);
  }

  void rehearse_tasks() {
    using Clock = std::chrono::steady_clock;
    std::vector<Clock::duration> busy(size, Clock::duration::zero());
    std::vector<std::size_t> working(size);
    std::iota(working.begin(), working.end(), std::size_t{0});
    while (!working.empty()) {
      const auto first =
          std::min_element(working.begin(), working.end(),
                           [&](std::size_t a, std::size_t b) { return busy[a] < busy[b]; });
      const auto task = shares->next(*first);
      if (!task) {
        working.erase(first);
        continue;
      }
      const auto begin = Clock::now();
      observer->begin_task(*task, *first);
      run_task(*task, *first);
      observer->end_task();
      busy[*first] += Clock::now() - begin;
    }
  }

  void worker_loop(std::size_t worker, int cpu) {
    pin_to(cpu);
    ready.fetch_add(1, std::memory_order_release);
    ready.notify_one();
    std::uint64_t seen = 0;
    for (;;) {
      spin_until([&] { return generation.load(std::memory_order_acquire) != seen; }, spin);
      generation.wait(seen, std::memory_order_acquire);
      seen = generation.load(std::memory_order_acquire);
      seen_by[worker].generation.store(seen, std::memory_order_release);
      if (quit.load(std::memory_order_relaxed)) return;
      take_part(worker);
    }
  }

  void take_part(std::size_t worker) {
    // Sequentially consistent with run()'s closing: either this worker sees the run closed, or
    // run() sees it inside.
    inside.fetch_add(1, std::memory_order_seq_cst);
    if (generation.load(std::memory_order_seq_cst) % 2 == 1) take_tasks(worker);
    if (inside.fetch_sub(1, std::memory_order_acq_rel) == 1) inside.notify_one();
  }

  void wake_all() {
    const std::uint64_t call = generation.fetch_add(2, std::memory_order_seq_cst) + 2;
    generation.notify_all();
    for (std::size_t worker = 1; worker < size; ++worker) {
      const std::atomic<std::uint64_t>& seen = seen_by[worker].generation;
      const auto has_answered = [&] { return seen.load(std::memory_order_acquire) >= call; };
      // Workers may be more than the CPUs.
      while (!has_answered()) std::this_thread::yield();
    }
  }

  // The CPU of each worker; threads beyond the usable CPUs share them.
  int cpu_of(std::size_t worker) const {
    const std::vector<int>& cpus = usable_cpus();
    return cpus[worker % cpus.size()];
  }

  // Throws std::system_error where the system refuses; those before have started.
  void start_workers() {
    threads.reserve(size);
    for (std::size_t worker = 1; worker < size; ++worker) {
      threads.emplace_back([this, worker, cpu = cpu_of(worker)] { worker_loop(worker, cpu); });
    }
  }

  // Ends the workers; the calling thread may run where it could before the pool.
  void end_workers() {
    quit.store(true, std::memory_order_relaxed);
    open_run();
    for (std::thread& thread : threads) thread.join();
    if (caller_pinned) {
      pthread_setaffinity_np(pthread_self(), sizeof(cpu_set_t), &caller_affinity);
    }
  }

  void open_run() {
    generation.fetch_add(1, std::memory_order_seq_cst);
    generation.notify_all();
  }
  void close_run() {
    generation.fetch_add(1, std::memory_order_seq_cst);
    for (std::size_t left = inside.load(std::memory_order_seq_cst); left != 0;
         left = inside.load(std::memory_order_acquire)) {
      spin_until([&] { return inside.load(std::memory_order_acquire) == 0; }, spin);
      left = inside.load(std::memory_order_acquire);
      if (left != 0) inside.wait(left, std::memory_order_acquire);
    }
  }
};

std::vector<int> by_core(const std::vector<int>& cpus, const std::string& described) {
  std::map<std::pair<int, int>, int> seen;             // hardware threads of a core so far
  std::vector<std::tuple<int, int, int, int>> places;  // thread of its core, socket, core, CPU
  for (const int cpu : cpus) {
    const auto topology =
        std::filesystem::path(described) / ("cpu" + std::to_string(cpu)) / "topology";
    const int socket = socket_of(topology);
    const int core = core_of(cpu, topology);
    places.emplace_back(seen[{socket, core}]++, socket, core, cpu);
  }
  std::sort(places.begin(), places.end());
  std::vector<int> ordered;
  for (const auto& place : places) ordered.push_back(std::get<3>(place));
  return ordered;
}

int node_of_cpu(int cpu, const std::string& described) {
  std::error_code error;
  const auto directory = std::filesystem::path(described) / ("cpu" + std::to_string(cpu));
  for (std::filesystem::directory_iterator at(directory, error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    constexpr std::string_view kNode = "node";
    if (!name.starts_with(kNode)) continue;
    int node = 0;
    const char* const first = name.data() + kNode.size();
    const char* const last = name.data() + name.size();
    if (std::from_chars(first, last, node).ptr == last && first != last) return node;
  }
  return 0;
}

std::vector<int> find_usable_cpus() {
  std::vector<int> cpus;
  // A mask that is too small for the kernel's is refused.
  constexpr std::size_t kSetsMost = 64;
  for (std::size_t sets = 1; cpus.empty() && sets <= kSetsMost; sets *= 2) {
    std::vector<cpu_set_t> allowed(sets);
    const std::size_t bytes = sets * sizeof(cpu_set_t);
    if (sched_getaffinity(0, bytes, allowed.data()) != 0) continue;
    for (std::size_t cpu = 0; cpu < sets * CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET_S(cpu, bytes, allowed.data())) cpus.push_back(static_cast<int>(cpu));
    }
  }
  if (cpus.empty()) cpus.push_back(0);
  return by_core(cpus);
}

const std::vector<int>& usable_cpus() { return cpus_in_order(); }

void take_this_cpu_first() {
  std::vector<int>& cpus = cpus_in_order();
  const auto here = std::find(cpus.begin(), cpus.end(), sched_getcpu());
  if (here != cpus.end()) std::rotate(cpus.begin(), here, cpus.end());
}

void leave_cpus_to_others() { are_cpus_shared = true; }

ThreadPool::ThreadPool(std::size_t threads, RehearsalObserver& observer)
    : state_(std::make_unique<State>()) {
  state_->set_size(threads);
  state_->observer = &observer;
}

ThreadPool::ThreadPool(std::size_t threads) : state_(std::make_unique<State>()) {
  state_->set_size(threads);
  if (threads > usable_cpus().size() || are_cpus_shared) state_->spin = {};
  state_->seen_by = std::vector<Seen>(threads);
  state_->caller_pinned =
      pthread_getaffinity_np(pthread_self(), sizeof(cpu_set_t), &state_->caller_affinity) == 0;
  if (state_->caller_pinned) pin_to(usable_cpus()[0]);
  try {
    state_->start_workers();
  } catch (const std::system_error& refused) {
    state_->end_workers();
    throw NoThread(refused.code());
  } catch (...) {
    state_->end_workers();
    throw;
  }
  // A thread takes milliseconds to start: that is nobody's query time.
  for (std::size_t ready = 0; ready + 1 < threads;
       ready = state_->ready.load(std::memory_order_acquire)) {
    state_->ready.wait(ready, std::memory_order_acquire);
  }
}

ThreadPool::~ThreadPool() { state_->end_workers(); }

std::size_t ThreadPool::size() const { return state_->size; }

void ThreadPool::wake() {
  HDB_CHECK(state_->generation.load(std::memory_order_relaxed) % 2 == 0, "no run is open");
  if (state_->observer == nullptr) state_->wake_all();
}

void ThreadPool::run(std::size_t tasks, const std::function<void(std::size_t, std::size_t)>& work) {
  if (tasks == 0) return;
  State& state = *state_;
  HDB_CHECK(tasks <= UINT32_MAX, "fewer than 2^32 tasks");
  HDB_CHECK(state.generation.load(std::memory_order_relaxed) % 2 == 0, "one run at a time");
  state.work = &work;
  state.failure = nullptr;
  state.failed_task.store(UINT64_MAX, std::memory_order_relaxed);
  // One task, or one thread: nobody is woken.
  const bool alone = tasks == 1 || state.size == 1;
  if (state.observer != nullptr) {
    state.observer->begin_run(tasks);
    state.shares->set(tasks, alone ? 1 : state.size);
    state.rehearse_tasks();
    state.observer->end_run();
  } else if (alone) {
    for (std::size_t task = 0; task < tasks; ++task) state.run_task(task, 0);
  } else {
    state.shares->set(tasks, state.size);
    state.open_run();
    state.take_tasks(0);
    state.close_run();
  }
  if (state.failure) std::rethrow_exception(state.failure);
}

}  // namespace hdbench
