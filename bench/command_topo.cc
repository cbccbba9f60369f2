// hdbench topo: what this machine has, and which media are real here.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "bench/commands.h"
#include "bench/host.h"
#include "bench/report_error.h"
#include "bench/text_sink.h"
#include "engine/base/thread_pool.h"
#include "pmem/medium.h"

namespace hdbench {
namespace {

struct TopoFlags {
  std::string pmem_dir;
};

std::string size_text(std::uint64_t bytes) {
  constexpr std::uint64_t kMib = std::uint64_t{1} << 20;
  return bytes >= kMib ? fmt::format("{:.4g} MiB", static_cast<double>(bytes) / kMib)
                       : fmt::format("{:.4g} KiB", static_cast<double>(bytes) / 1024);
}

std::string host_text(const Host& host) {
  std::string text = fmt::format("{}\n{}\n", describe(host), host.kernel);
  std::string caches;
  for (const CpuCache& cache : host.caches) {
    caches += fmt::format("{}L{} {} {}", caches.empty() ? "" : ", ", cache.level, cache.type,
                          size_text(cache.bytes));
    if (cache.sharing > 1) caches += fmt::format(" for {} CPUs", cache.sharing);
  }
  return text + (caches.empty() ? "" : "caches: " + caches + "\n");
}

std::string media_text(const std::vector<MediumStatus>& media) {
  std::size_t name_width = std::string_view("medium").size();
  std::size_t state_width = std::string_view("here").size();
  for (const MediumStatus& medium : media) {
    name_width = std::max(name_width, medium.name.size());
    state_width = std::max(state_width, medium.state.size());
  }
  std::string text =
      fmt::format("{:<{}}  {:<{}}  {}\n", "medium", name_width, "here", state_width, "why");
  for (const MediumStatus& medium : media) {
    text += fmt::format("{:<{}}  {:<{}}  {}\n", medium.name, name_width, medium.state, state_width,
                        medium.reason);
  }
  return text;
}

Result<int> topo(const TopoFlags& flags) {
  MediumOptions options;
  options.pmem_dir = flags.pmem_dir;
  TextSink sink = standard_output();
  sink.text() = host_text(read_host(usable_cpus().size())) + "\n" + media_text(list_media(options));
  HDB_TRY(sink.finish());
  return kFine;
}

}  // namespace

void add_topo_command(CLI::App& app, ChosenCommand& chosen) {
  CLI::App* command =
      app.add_subcommand("topo", "Show what this machine has, and which media are real here");
  const auto flags = std::make_shared<TopoFlags>();
  command
      ->add_option("--pmem-dir", flags->pmem_dir, "a directory on a DAX mount to look at as well")
      ->type_name("DIR");
  command->callback([flags, &chosen] {
    chosen = [flags] {
      const Result<int> status = topo(*flags);
      return status.ok() ? *status : report_error(status.error());
    };
  });
}

}  // namespace hdbench
