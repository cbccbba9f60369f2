// Worker threads, started once and pinned to cores.
//
// A pool of size n consists of the calling thread and n-1 others. Only one run() at a time; the
// caller works too. task_shares.h says how tasks are shared; workers on the CPUs of one memory node
// form a group.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace hdbench {

// The CPUs' descriptions: a directory cpuN each.
inline constexpr const char* kCpuDirectory = "/sys/devices/system/cpu";

// First one hardware thread of every core, then the second ones, and so on, as cpuN/topology
// describes them; the cores of a socket stand together. A CPU that is not described, or not in its
// own list of siblings, is a core by itself.
std::vector<int> by_core(const std::vector<int>& cpus,
                         const std::string& described = kCpuDirectory);

// The memory node of a CPU, by its directory's nodeN entry; 0 where the kernel shows none.
int node_of_cpu(int cpu, const std::string& described = kCpuDirectory);

// Logical CPUs that the calling thread may use now, by_core().
std::vector<int> find_usable_cpus();

// The CPUs as they were at the first call: a pool pins the thread that creates it, and later pools
// must not take that one CPU for all there are.
const std::vector<int>& usable_cpus();

// From now on they begin with the one that the caller is on, as a rule an idle one: for programs
// that run beside each other and measure nothing, such as tests. Call it while no pool
// is made.
void take_this_cpu_first();

// From now on pools of this process pin no thread and look for work no longer than they have some:
// other processes run on the same CPUs. Call it while no pool is made.
void leave_cpus_to_others();

// Thrown where the system starts no more threads. The message is a whole line that says what to do.
class NoThread : public std::runtime_error {
 public:
  explicit NoThread(const std::error_code& why)
      : std::runtime_error("cannot start a thread: " + why.message() +
                           "; use fewer (-s), or raise the limit of processes (ulimit -u, the "
                           "control group's pids.max)") {}
};

// Follows a pool that rehearses, whose caller calls it before and after each run() and each task.
class RehearsalObserver {
 public:
  virtual ~RehearsalObserver() = default;
  virtual void begin_run(std::size_t tasks) = 0;
  virtual void begin_task(std::size_t task, std::size_t worker) = 0;
  virtual void end_task() = 0;
  virtual void end_run() = 0;
};

class ThreadPool {
 public:
  // A rehearsal of `threads` workers by the caller alone: the tasks one after another, each on the
  // worker that would be free first if all worked side by side and none slowed another. What a
  // query does on so many threads can so be timed on one. The observer must outlive it.
  ThreadPool(std::size_t threads, RehearsalObserver& observer);

  // threads >= 1. Threads beyond the usable CPUs share them. Throws NoThread where the system
  // starts no more; those that were started have ended then.
  explicit ThreadPool(std::size_t threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::size_t size() const;

  // Returns when every worker is awake and looks for work, as it does for a while after each
  // run (where no two share a CPU), so that a run that follows at once does not include the time in
  // which the operating system wakes sleeping threads. Requires: no run() is going on.
  void wake();

  // Calls work(task, worker) for every task in [0, tasks), each once, on workers [0, size()), in
  // any order. Returns when all are done; a worker that wakes up when no task is left is not waited
  // for. When a task throws, tasks above it that have not begun are dropped, those below still run,
  // and the exception of the lowest task that threw is rethrown: the same one however the tasks
  // were spread. Requires: tasks < 2^32.
  void run(std::size_t tasks,
           const std::function<void(std::size_t task, std::size_t worker)>& work);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hdbench
