#include "bench/report/views/machine_view.h"

#include <fmt/format.h>

#include "bench/base/number_text.h"
#include "engine/base/text.h"

namespace hdbench::bench {
namespace {

std::string cores_text(const MachineFacts& facts) {
  if (facts.sockets == 0 || facts.cores == 0) return {};
  return counted(facts.sockets, "socket") + ", " + counted(facts.cores, "core");
}

std::string balancing_text(const RunContext& context, const MachineFacts& facts) {
  const auto set = context.tiering ? context.tiering->numa_balancing : facts.numa_balancing;
  if (!set) return {};
  return *set == 0 ? "off" : fmt::format("on ({})", *set);
}

std::string clock_text(const Host& host) {
  return host.mhz ? fmt::format("{:.0f} MHz", *host.mhz) : "";
}

}  // namespace

ViewTable machines_view(const ReportInput& input) {
  ViewTable table{"The machines side by side", {{"what", true}}};
  if (input.machines.size() < 2) return table;
  const char* const kFacts[] = {"host",        "CPU",      "sockets, cores", "CPUs used",
                                "clock",       "memory",   "memory modules", "kernel",
                                "mitigations", "governor", "huge pages",     "NUMA balancing",
                                "hdbench"};
  for (const char* fact : kFacts) table.rows.push_back({fact});
  for (std::size_t machine = 0; machine < input.machines.size(); ++machine) {
    const RunContext* context = nullptr;
    for (std::size_t run = 0; run < input.runs.size(); ++run) {
      if (input.machine_of_run[run] == machine) context = &input.runs[run].context;
    }
    const Host& host = context->host;
    const MachineFacts facts = host.facts.value_or(MachineFacts());
    table.columns.emplace_back(fmt::format("Machine {}", machine + 1), true);
    const std::string values[] = {host.host_name,
                                  host.cpu_model,
                                  cores_text(facts),
                                  std::to_string(host.cpus),
                                  clock_text(host),
                                  memory_text(host.memory_bytes),
                                  modules_text(facts.memory_modules),
                                  host.kernel,
                                  mitigations_text(facts),
                                  facts.governor,
                                  facts.transparent_huge_pages,
                                  balancing_text(*context, facts),
                                  fmt::format("{} ({})", context->version, context->commit)};
    for (std::size_t i = 0; i < std::size(values); ++i)
      table.rows[i].push_back(values[i].empty() ? "not told" : values[i]);
  }
  return table;
}

}  // namespace hdbench::bench
