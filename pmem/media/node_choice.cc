#include "pmem/media/node_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "engine/base/text.h"

namespace hdbench::pmem {
namespace {

constexpr const char* kWeights = "/sys/kernel/mm/mempolicy/weighted_interleave";

std::string origin_text(const NumaNode& node) {
  if (node.has_cpus) return "CPUs " + node.cpu_list;
  if (node.origin == MemoryOrigin::kUnknown) return "no CPUs";
  return fmt::format("no CPUs, {}", word(node.origin));
}

const NumaNode* find_node(const Machine& machine, int number) {
  const auto found = std::find_if(machine.nodes.begin(), machine.nodes.end(),
                                  [&](const NumaNode& node) { return node.number == number; });
  return found == machine.nodes.end() ? nullptr : &*found;
}

std::string usable_nodes(const Machine& machine) {
  std::vector<int> numbers;
  for (const NumaNode& node : machine.nodes) {
    if (node.unusable.empty()) numbers.push_back(node.number);
  }
  if (numbers.empty()) return "no node";
  return fmt::format("{} {}", numbers.size() == 1 ? "node" : "nodes", fmt::join(numbers, ", "));
}

// Of the pages of several nodes each has as many.
NodeChoice choice_over(std::string name, const std::vector<const NumaNode*>& nodes) {
  NodeChoice choice{std::move(name), {}, {}, {}};
  for (const NumaNode* node : nodes) choice.policy.nodes.push_back(node->number);
  if (nodes.size() == 1) return choice;
  choice.policy.spread = NodeSpread::kInterleave;
  choice.weights.assign(nodes.size(), 1);
  return choice;
}

Result<NodeChoice> choose_numbered(const MediumSpec& word, const Machine& machine) {
  const std::string& text = word.options.at("node");
  int number = -1;
  std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string name = fmt::format("numa:{}", number);
  if (machine.nodes.empty()) return data_error(fmt::format("{}: {}", name, kNoNodes));
  const NumaNode* node = find_node(machine, number);
  if (node == nullptr || !node->unusable.empty()) {
    return data_error(fmt::format("{}: {}; this machine has memory on {}", name,
                                  node == nullptr ? "no such node" : node->unusable,
                                  usable_nodes(machine)));
  }
  // Another socket's memory is often taken for CXL memory, which it is not.
  const bool is_of_socket = node->has_cpus && machine.nodes.size() > 1;
  return NodeChoice{name,
                    fmt::format("real (node {}: {}, {}{})", number, memory_text(node->memory_bytes),
                                origin_text(*node), is_of_socket ? ": a socket's, not CXL" : ""),
                    {NodeSpread::kBind, {number}},
                    {}};
}

// The node with CPUs that is nearest to the far one; distances are listed in the order of the nodes
// that are online.
const NumaNode* nearest_with_cpus(const Machine& machine, const NumaNode& far) {
  const NumaNode* nearest = nullptr;
  int best = 0;
  std::size_t place = 0;
  for (const NumaNode& node : machine.nodes) {
    if (!node.online) continue;
    const int distance = place < far.distances.size() ? far.distances[place] : 255;
    ++place;
    if (!node.has_cpus || !node.unusable.empty()) continue;
    if (nearest == nullptr || distance < best) {
      nearest = &node;
      best = distance;
    }
  }
  return nearest;
}

// The commands that give the kernel these weights.
std::string weighing(const std::vector<int>& nodes, const std::vector<int>& weights) {
  std::string commands;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    commands += fmt::format("{}echo {} | sudo tee {}/node{}", i == 0 ? "" : "; ", weights[i],
                            kWeights, nodes[i]);
  }
  return commands;
}

int weight_of(const WeightedInterleave& kernel, int node) {
  const auto found = kernel.weights.find(node);
  return found == kernel.weights.end() ? 1 : found->second;
}

// The kernel's weights belong to the whole machine: they are requested, never changed.
Status check_kernel_weights(const NodeChoice& choice, const WeightedInterleave& kernel) {
  if (!kernel.known) {
    return data_error(fmt::format(
        "{}: this kernel has no weighted interleave ({} is absent; Linux 6.9 and later have it)",
        choice.name, kWeights));
  }
  const auto& nodes = choice.policy.nodes;
  std::vector<std::string> set;
  bool as_asked = true;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const int weight = weight_of(kernel, nodes[i]);
    as_asked &=
        weight * choice.weights.front() == weight_of(kernel, nodes.front()) * choice.weights[i];
    set.push_back(fmt::format("{} on node {}", weight, nodes[i]));
  }
  if (as_asked) return ok_status();
  return data_error(fmt::format("{}: the kernel's weights are {}: {}", choice.name,
                                fmt::join(set, ", "), weighing(nodes, choice.weights)));
}

Result<NodeChoice> choose_weighted(const MediumSpec& word, const Machine& machine,
                                   const FarNodes& far) {
  HDB_ASSIGN(const InterleaveRatio ratio, parse_interleave(word.options.at("interleave")));
  NodeChoice choice;
  choice.name = to_text(word);
  const NumaNode* local = nearest_with_cpus(machine, *far.used.front());
  if (local == nullptr) return data_error(choice.name + ": no node with CPUs and memory");
  choice.policy.spread = NodeSpread::kWeighted;
  choice.policy.nodes.push_back(local->number);
  choice.weights.push_back(ratio.local);
  for (const NumaNode* node : far.used) {
    choice.policy.nodes.push_back(node->number);
    choice.weights.push_back(ratio.far);
  }
  HDB_TRY(check_kernel_weights(choice, machine.weighted_interleave));
  choice.label = fmt::format("real (pages {} over nodes {})", fmt::join(choice.weights, ":"),
                             fmt::join(choice.policy.nodes, ", "));
  return choice;
}

Result<NodeChoice> choose_far(const MediumSpec& word, const Machine& machine) {
  const FarNodes far = far_nodes(machine);
  if (far.used.empty()) return data_error("cxl is absent here");
  if (word.options.count("interleave") > 0) return choose_weighted(word, machine, far);
  NodeChoice choice = choice_over("cxl", far.used);
  std::uint64_t bytes = 0;
  for (const NumaNode* node : far.used) bytes += node->memory_bytes;
  choice.label = far.used.size() == 1
                     ? fmt::format("real (node {}: {}, {})", far.used.front()->number,
                                   memory_text(bytes), origin_text(*far.used.front()))
                     : fmt::format("real (nodes {} interleaved: {}, no CPUs)",
                                   fmt::join(choice.policy.nodes, ", "), memory_text(bytes));
  return choice;
}

}  // namespace

std::string other_than_cxl(const NumaNode& node, const Machine& machine) {
  if (node.origin == MemoryOrigin::kPmem) return "persistent memory as system-ram";
  if (node.origin == MemoryOrigin::kGpu) return "a GPU's memory";
  if (is_high_bandwidth(node, machine.nodes)) {
    return "reported to be faster than the CPUs' own memory, not CXL";
  }
  if (node.origin == MemoryOrigin::kCxl) return {};
  const auto tier = dram_tier(machine.nodes);
  if (!node.memory_tier || !tier) {
    if (node.origin == MemoryOrigin::kReserved) return {};
    return "not known to be CXL (no CXL region, DAX device or slower memory tier behind it)";
  }
  if (*node.memory_tier > *tier) return {};
  return fmt::format("not CXL: its memory tier is {}, and DRAM's is {}", *node.memory_tier, *tier);
}

FarNodes far_nodes(const Machine& machine) {
  FarNodes found;
  for (const NumaNode& node : machine.nodes) {
    if (node.has_cpus || node.memory_bytes == 0) continue;
    const std::string other = other_than_cxl(node, machine);
    if (!node.unusable.empty()) {
      found.others.push_back(fmt::format("node{}: {}", node.number, node.unusable));
    } else if (other.empty()) {
      found.used.push_back(&node);
    } else {
      found.others.push_back(
          fmt::format("node{} is {}: --medium numa:{}", node.number, other, node.number));
    }
  }
  return found;
}

CachedNodes cached_nodes(const Machine& machine) {
  CachedNodes found;
  found.all = true;
  for (const NumaNode& node : machine.nodes) {
    if (!node.unusable.empty()) continue;
    if (node.memory_side_caches.empty()) {
      found.all = false;
    } else {
      found.nodes.push_back(&node);
    }
  }
  found.all &= !found.nodes.empty();
  return found;
}

std::string describe_caches(const CachedNodes& cached) {
  std::string text;
  for (const NumaNode* node : cached.nodes) {
    const MemorySideCache& cache = node->memory_side_caches.front();
    text +=
        fmt::format("{}node{} has a memory-side cache of {} MiB with {}-byte lines",
                    text.empty() ? "" : "; ", node->number, cache.bytes >> 20, cache.line_bytes);
    if (!cache.indexing.empty()) text += ", " + cache.indexing;
    if (!cache.write_policy.empty()) text += ", " + cache.write_policy;
  }
  return text;
}

NodeChoice choose_cached_nodes(const CachedNodes& cached) {
  NodeChoice choice = choice_over("memory-mode", cached.nodes);
  choice.label = "real (" + describe_caches(cached) + ")";
  return choice;
}

Result<NodeChoice> choose_nodes(const MediumSpec& word, const Machine& machine) {
  return word.name == "numa" ? choose_numbered(word, machine) : choose_far(word, machine);
}

}  // namespace hdbench::pmem
