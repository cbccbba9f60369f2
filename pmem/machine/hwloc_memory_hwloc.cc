#include <fcntl.h>
#include <hwloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>
#include <type_traits>

#include "pmem/machine/hwloc_memory.h"

namespace hdbench::pmem {
namespace {

const std::string kSource = "hwloc " HWLOC_VERSION;

using Topology =
    std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, decltype(&hwloc_topology_destroy)>;

std::string cpus_of(const hwloc_location& initiator) {
  if (initiator.type != HWLOC_LOCATION_TYPE_CPUSET) return {};
  char* text = nullptr;
  if (hwloc_bitmap_list_asprintf(&text, initiator.location.cpuset) < 0) return {};
  std::string cpus = text;
  std::free(text);
  return cpus;
}

// Capacity and locality are told elsewhere.
std::vector<MemoryAttribute> attributes_of(hwloc_topology_t topology, hwloc_obj_t node) {
  std::vector<MemoryAttribute> found;
  const char* name = nullptr;
  for (hwloc_memattr_id_t id = 0; hwloc_memattr_get_name(topology, id, &name) == 0; ++id) {
    const std::string_view word = name;
    if (word == "Capacity" || word == "Locality") continue;
    hwloc_location initiator = {};
    hwloc_uint64_t value = 0;
    if (hwloc_memattr_get_best_initiator(topology, id, node, 0, &initiator, &value) == 0) {
      found.push_back({std::string(word), value, cpus_of(initiator)});
    }
  }
  return found;
}

HwlocNode read_node(hwloc_topology_t topology, hwloc_obj_t object) {
  HwlocNode node;
  node.number = static_cast<int>(object->os_index);
  if (object->subtype != nullptr) node.subtype = object->subtype;
  for (hwloc_obj_t above = object->parent; above != nullptr && above->type == HWLOC_OBJ_MEMCACHE;
       above = above->parent) {
    node.memory_side_cache_bytes.push_back(above->attr->cache.size);
  }
  node.attributes = attributes_of(topology, object);
  return node;
}

HwlocMemory load() {
  HwlocMemory found;
  found.source = kSource;
  hwloc_topology_t made = nullptr;
  if (hwloc_topology_init(&made) != 0) return {found.source + " cannot start", {}};
  const Topology topology(made, &hwloc_topology_destroy);
  // Memory-side caches are left out unless all types are kept; devices are not looked for.
  hwloc_topology_set_all_types_filter(made, HWLOC_TYPE_FILTER_KEEP_ALL);
  hwloc_topology_set_io_types_filter(made, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_flags(made, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  if (hwloc_topology_load(made) != 0) return {found.source + " sees nothing", {}};
  const int count = hwloc_get_nbobjs_by_type(made, HWLOC_OBJ_NUMANODE);
  for (int i = 0; i < count; ++i) {
    found.nodes.push_back(
        read_node(made, hwloc_get_obj_by_type(made, HWLOC_OBJ_NUMANODE, static_cast<unsigned>(i))));
  }
  return found;
}

// What a process tells the one that started it: lines of words with tabs between.
std::string written(const HwlocMemory& memory) {
  std::string text = memory.source + "\n";
  for (const HwlocNode& node : memory.nodes) {
    text += "node\t" + std::to_string(node.number) + "\t" + node.subtype + "\n";
    for (const std::uint64_t bytes : node.memory_side_cache_bytes)
      text += "cache\t" + std::to_string(bytes) + "\n";
    for (const MemoryAttribute& one : node.attributes)
      text +=
          "attribute\t" + one.name + "\t" + std::to_string(one.value) + "\t" + one.initiator + "\n";
  }
  return text + "end\n";
}

// Nothing: the text breaks off.
std::optional<HwlocMemory> parsed(const std::string& text) {
  HwlocMemory memory;
  std::istringstream lines(text);
  std::getline(lines, memory.source);
  for (std::string line; std::getline(lines, line);) {
    if (line == "end") return memory;
    std::istringstream words(line);
    std::string kind, first, second, third;
    std::getline(words, kind, '\t');
    std::getline(words, first, '\t');
    std::getline(words, second, '\t');
    std::getline(words, third, '\t');
    if (kind == "node") memory.nodes.push_back({std::atoi(first.c_str()), second, {}, {}});
    if (memory.nodes.empty()) continue;
    HwlocNode& node = memory.nodes.back();
    if (kind == "cache") node.memory_side_cache_bytes.push_back(std::stoull(first));
    if (kind == "attribute") node.attributes.push_back({first, std::stoull(second), third});
  }
  return std::nullopt;
}

void tell(int pipe, const std::filesystem::path& root) {
  constexpr unsigned kPatienceSeconds = 20;
  ::alarm(kPatienceSeconds);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const int null = ::open("/dev/null", O_WRONLY);
  if (null >= 0) ::dup2(null, STDERR_FILENO);
  std::vector<std::string> names;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (text.starts_with("HWLOC_")) names.emplace_back(text.substr(0, text.find('=')));
  }
  for (const std::string& name : names) ::unsetenv(name.c_str());
  if (root != "/") ::setenv("HWLOC_FSROOT", root.c_str(), 1);
  const std::string text = written(load());
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t bytes = ::write(pipe, text.data() + at, text.size() - at);
    if (bytes <= 0) break;
    at += static_cast<std::size_t>(bytes);
  }
}

// In a copy of this process: an exception must not reach the parent's objects.
[[noreturn]] void tell_and_end(int pipe, const std::filesystem::path& root) {
  try {
    tell(pipe, root);
  } catch (...) {
    ::_exit(1);
  }
  ::_exit(0);
}

}  // namespace

HwlocMemory read_hwloc_memory(const std::filesystem::path& root) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {kSource + ": no pipe", {}};
  const pid_t child = ::fork();
  if (child == 0) tell_and_end(ends[1], root);
  ::close(ends[1]);
  std::string text;
  char buffer[4096];
  while (child > 0) {
    const ssize_t bytes = ::read(ends[0], buffer, sizeof(buffer));
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) break;
    text.append(buffer, static_cast<std::size_t>(bytes));
  }
  ::close(ends[0]);
  int status = 0;
  while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (child < 0) return {kSource + ": no process", {}};
  std::optional<HwlocMemory> found = parsed(text);
  if (!found) {
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return {kSource + " failed on this /sys" +
                (signal != 0 ? " (signal " + std::to_string(signal) + ")" : ""),
            {}};
  }
  std::sort(found->nodes.begin(), found->nodes.end(),
            [](const HwlocNode& a, const HwlocNode& b) { return a.number < b.number; });
  return *found;
}

}  // namespace hdbench::pmem
