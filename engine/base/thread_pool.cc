#include "engine/base/thread_pool.h"

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "engine/base/check.h"

namespace hdbench {
namespace {

// How often a worker looks for work before it sleeps: about 20 us, so that the steps of one query
// do not pay a wake-up each.
constexpr int kSpins = 2000;

void pin_to(int cpu) {
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

}  // namespace

struct ThreadPool::State {
  std::size_t size = 1;
  std::vector<std::thread> threads;
  cpu_set_t caller_affinity{};
  bool caller_pinned = false;

  std::atomic<std::uint64_t> generation{0};
  std::atomic<bool> quit{false};
  std::atomic<std::size_t> busy{0};

  // The current run.
  const std::function<void(std::size_t, std::size_t)>* work = nullptr;
  std::size_t tasks = 0;
  std::atomic<std::size_t> next{0};
  std::mutex failure_mutex;
  std::exception_ptr failure;
  std::size_t failed_task = 0;

  void take_tasks(std::size_t worker) {
    for (;;) {
      const std::size_t task = next.fetch_add(1, std::memory_order_relaxed);
      if (task >= tasks) return;
      try {
        (*work)(task, worker);
      } catch (...) {
        note_failure(task);
      }
    }
  }

  void note_failure(std::size_t task) {
    const std::lock_guard lock(failure_mutex);
    if (!failure || task < failed_task) {
      failure = std::current_exception();
      failed_task = task;
    }
    next.store(tasks, std::memory_order_relaxed);
  }

  void worker_loop(std::size_t worker, int cpu) {
    pin_to(cpu);
    std::uint64_t seen = 0;
    for (;;) {
      for (int spin = 0; spin < kSpins && generation.load(std::memory_order_acquire) == seen;
           ++spin)
        pause();
      generation.wait(seen, std::memory_order_acquire);
      seen = generation.load(std::memory_order_acquire);
      if (quit.load(std::memory_order_relaxed)) return;
      take_tasks(worker);
      busy.fetch_sub(1, std::memory_order_acq_rel);
      busy.notify_one();
    }
  }
};

ThreadPool::ThreadPool(std::size_t threads) : state_(std::make_unique<State>()) {
  HDB_CHECK(threads >= 1, "a pool has at least one thread");
  const std::vector<int> cpus = usable_cpus();
  state_->size = threads;
  state_->caller_pinned =
      pthread_getaffinity_np(pthread_self(), sizeof(cpu_set_t), &state_->caller_affinity) == 0;
  if (state_->caller_pinned) pin_to(cpus[0]);
  for (std::size_t worker = 1; worker < threads; ++worker) {
    state_->threads.emplace_back(
        [this, worker, cpu = cpus[worker % cpus.size()]] { state_->worker_loop(worker, cpu); });
  }
}

ThreadPool::~ThreadPool() {
  state_->quit.store(true, std::memory_order_relaxed);
  state_->generation.fetch_add(1, std::memory_order_release);
  state_->generation.notify_all();
  for (std::thread& thread : state_->threads) thread.join();
  if (state_->caller_pinned) {
    pthread_setaffinity_np(pthread_self(), sizeof(cpu_set_t), &state_->caller_affinity);
  }
}

std::size_t ThreadPool::size() const { return state_->size; }

void ThreadPool::run(std::size_t tasks, const std::function<void(std::size_t, std::size_t)>& work) {
  if (tasks == 0) return;
  State& state = *state_;
  HDB_CHECK(state.busy.load(std::memory_order_relaxed) == 0, "one run at a time");
  state.work = &work;
  state.tasks = tasks;
  state.failure = nullptr;
  state.next.store(0, std::memory_order_relaxed);
  // One task, or one thread: nobody is woken.
  const bool alone = tasks == 1 || state.threads.empty();
  if (!alone) {
    state.busy.store(state.threads.size(), std::memory_order_relaxed);
    state.generation.fetch_add(1, std::memory_order_release);
    state.generation.notify_all();
  }
  state.take_tasks(0);
  if (!alone) {
    for (std::size_t left = state.busy.load(std::memory_order_acquire); left != 0;
         left = state.busy.load(std::memory_order_acquire)) {
      for (int spin = 0; spin < kSpins && state.busy.load(std::memory_order_acquire) == left;
           ++spin)
        pause();
      if (state.busy.load(std::memory_order_acquire) == left)
        state.busy.wait(left, std::memory_order_acquire);
    }
  }
  if (state.failure) std::rethrow_exception(state.failure);
}

}  // namespace hdbench
