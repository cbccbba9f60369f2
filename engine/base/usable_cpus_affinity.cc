// find_usable_cpus() without hwloc: the affinity mask in the kernel's order.
#include <sched.h>

#include <vector>

#include "engine/base/thread_pool.h"

namespace hdbench {

std::vector<int> find_usable_cpus() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) {
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &allowed)) cpus.push_back(cpu);
    }
  }
  if (cpus.empty()) cpus.push_back(0);
  return cpus;
}

}  // namespace hdbench
