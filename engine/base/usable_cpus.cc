#include "engine/base/usable_cpus.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "engine/base/thread_pool.h"

namespace hdbench {
namespace {

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

}  // namespace

std::vector<int> by_core(const std::vector<int>& cpus, const std::filesystem::path& described) {
  std::map<std::pair<int, int>, int> seen;             // hardware threads of a core so far
  std::vector<std::tuple<int, int, int, int>> places;  // thread of its core, socket, core, CPU
  for (const int cpu : cpus) {
    const auto topology = described / ("cpu" + std::to_string(cpu)) / "topology";
    const int socket = socket_of(topology);
    const int core = core_of(cpu, topology);
    places.emplace_back(seen[{socket, core}]++, socket, core, cpu);
  }
  std::sort(places.begin(), places.end());
  std::vector<int> ordered;
  for (const auto& place : places) ordered.push_back(std::get<3>(place));
  return ordered;
}

int node_of_cpu(int cpu, const std::filesystem::path& described) {
  std::error_code error;
  const auto directory = described / ("cpu" + std::to_string(cpu));
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

}  // namespace hdbench
