// hdbench profile: measure a disk's directory, this machine's memory or the memory of chosen nodes,
// and write its profile.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "bench/base/interrupt.h"
#include "bench/base/number_text.h"
#include "bench/base/one_pool.h"
#include "bench/base/output_file.h"
#include "bench/base/progress.h"
#include "bench/base/report_error.h"
#include "bench/base/statistics.h"
#include "bench/base/text_sink.h"
#include "bench/base/version.h"
#include "bench/cli/commands.h"
#include "bench/machine/disk_probe.h"
#include "bench/machine/host.h"
#include "bench/machine/latency_checker.h"
#include "bench/machine/load_probe.h"
#include "bench/machine/memory_probe.h"
#include "bench/machine/preflight.h"
#include "bench/profiles/profiles.h"
#include "bench/report/html/html_page.h"
#include "engine/base/write_guard.h"
#include "engine/kernel/selection.h"
#include "pmem/base/medium_spec.h"
#include "pmem/emulator/device_profile.h"
#include "pmem/media/emulated_medium.h"
#include "pmem/media/media_list.h"
#include "pmem/media/memory_medium.h"
#include "pmem/memory/huge_memory.h"
#include "pmem/memory/placement_proof.h"

namespace hdbench::bench {
namespace {

struct ProfileFlags {
  std::string where;
  std::string template_kind;
  std::string check;
  std::string out;
  std::string page;
  bool force = false;
  std::size_t size_mib = 512;
  std::size_t rounds = 3;
};

constexpr std::size_t kSizeMin = 32;
constexpr std::size_t kThreadsOfDiskMax = 8;

std::vector<std::size_t> thread_counts(std::size_t all) {
  std::vector<std::size_t> counts;
  for (std::size_t t = 1; t < all; t *= 2) counts.push_back(t);
  counts.push_back(all);
  return counts;
}

double median_of(const std::vector<MemoryRound>& rounds, double MemoryRound::* figure) {
  std::vector<double> samples;
  for (const MemoryRound& round : rounds) samples.push_back(round.*figure);
  return median(samples);
}

// Memory of one source: by threads, then loaded.
struct MemoryProbes {
  MemoryProbes(const Host& host, const RegionSource& source)
      : by_threads(probe_bytes(host), source), loaded(probe_bytes(host), source) {}
  MemoryProbe by_threads;
  LoadProbe loaded;
};

Result<ProbedDevice> probe_memory(const ProfileFlags& flags, const Host& host, OnePool& pools,
                                  MemoryProbes& probes, Progress& progress) {
  ProbedDevice device;
  device.place = "anonymous memory, " + describe(host);
  device.granularity_bytes = kLineBytes;
  const auto counts = thread_counts(pools.all_threads());
  std::size_t done = 0;
  for (const std::size_t threads : counts) {
    std::vector<MemoryRound> rounds;
    for (std::size_t k = 0; k < flags.rounds; ++k) {
      HDB_ASSIGN(const MemoryRound round, probes.by_threads.measure(pools.of(threads)));
      rounds.push_back(round);
      progress.show(++done, counts.size() * flags.rounds, fmt::format("{} threads", threads));
      if (interrupted().load()) return usage_error("interrupted");
    }
    device.sequential_read.push_back({threads, median_of(rounds, &MemoryRound::read_gb_s)});
    device.random_read.push_back({threads, median_of(rounds, &MemoryRound::gather_gb_s)});
    device.sequential_write.push_back({threads, median_of(rounds, &MemoryRound::stream_gb_s)});
    if (threads != 1) continue;
    device.read_ns = median_of(rounds, &MemoryRound::chase_ns);
    device.mlp = device.read_ns / median_of(rounds, &MemoryRound::gather_ns);
  }
  probes.by_threads.release();
  const auto show = [&](std::size_t now, std::size_t all) {
    progress.show(now, all, "under load");
    return !interrupted().load();
  };
  HDB_ASSIGN(device.load, measure_load(probes.loaded, pools.widest(), flags.rounds, show));
  return device;
}

// What these nodes take from the memory of the CPUs' own; nothing where they are those, or where
// there is one thread.
Result<std::optional<double>> probe_interference(const ProfileFlags& flags, const Host& host,
                                                 const NodeChoice& choice, OnePool& pools,
                                                 LoadProbe& probe) {
  const auto& nodes = choice.policy.nodes;
  const bool is_own = std::any_of(pools.cpus().begin(), pools.cpus().end(), [&](int cpu) {
    return std::find(nodes.begin(), nodes.end(), node_of_cpu(cpu)) != nodes.end();
  });
  if (is_own || pools.all_threads() < 2) return std::optional<double>();
  LoadProbe own(probe_bytes(host));
  std::vector<double> shares;
  for (std::size_t round = 0; round < flags.rounds; ++round) {
    HDB_ASSIGN(const double share, probe.taken_from(own, pools.widest()));
    shares.push_back(share);
  }
  return std::optional<double>(median(shares));
}

// The same loops as of dram, over memory that is bound to the nodes, by the CPUs that this process
// has; then the kernel says of every page where it lies.
Result<ProbedDevice> probe_nodes(const ProfileFlags& flags, const MediumSpec& word,
                                 const Host& host, OnePool& pools, Progress& progress) {
  HDB_ASSIGN(const NodeChoice choice, choose_present_nodes(word, read_machine()));
  MemoryProbes probes(host, bound_memory(choice));
  HDB_ASSIGN(ProbedDevice device, probe_memory(flags, host, pools, probes, progress));
  HDB_ASSIGN(device.taken_share, probe_interference(flags, host, choice, pools, probes.loaded));
  HDB_ASSIGN(
      const PlacementProof proof,
      prove_placement({choice.name, choice.policy.nodes, choice.weights}, probes.loaded.buffers()));
  device.place =
      fmt::format("{}, {}; {}; {}", choice.name, choice.label, describe(proof), describe(host));
  return device;
}

// Nothing: not the word of memory on nodes.
Result<std::optional<MediumSpec>> node_word(const std::string& where) {
  const std::string name = where.substr(0, where.find(':'));
  if (name != "numa" && name != "cxl") return std::optional<MediumSpec>();
  HDB_ASSIGN(MediumSpec word, parse_medium_spec(where));
  if (is_emulated(word)) {
    return usage_error(where + " is emulated: expected what this machine has, numa:N or cxl");
  }
  return std::optional<MediumSpec>(std::move(word));
}

Result<ProbedDevice> probe_directory(const ProfileFlags& flags, Progress& progress) {
  std::error_code failed;
  if (!std::filesystem::is_directory(flags.where, failed)) {
    return usage_error(fmt::format("{}: expected a directory, dram, numa:N or cxl", flags.where));
  }
  HDB_TRY(check_outside_databases("where", flags.where));
  DiskProbeOptions options;
  options.file_bytes = flags.size_mib << 20;
  options.threads_max = kThreadsOfDiskMax;
  options.rounds = flags.rounds;
  return probe_disk(flags.where, options, [&](std::size_t done, std::size_t total) {
    progress.show(done, total);
    return !interrupted().load();
  });
}

Result<ProbedDevice> probe_where(const ProfileFlags& flags, const Host& host, OnePool& pools,
                                 Progress& progress) {
  if (flags.where == "dram") {
    MemoryProbes probes(host, map_huge_memory);
    HDB_ASSIGN(ProbedDevice device, probe_memory(flags, host, pools, probes, progress));
    pools.release();
    progress.show(0, 1, "Intel's mlc");
    HDB_ASSIGN(device.checked, run_latency_checker());
    return device;
  }
  HDB_ASSIGN(const std::optional<MediumSpec> word, node_word(flags.where));
  if (word) {
    return probe_nodes(flags, *word, host, pools, progress);
  }
  return probe_directory(flags, progress);
}

// The curves as a page, from what the profile's file holds.
Status write_page(const OutputFile& page, const std::string& json) {
  if (!page.is_given()) return ok_status();
  HDB_ASSIGN(DeviceProfile profile, parse_profile(json, page.path.string()));
  Forecasts forecasts;
  forecasts.profiles.push_back(std::move(profile));
  return write_output(page, forecast_page(forecasts));
}

Result<int> print_template(const ProfileFlags& flags) {
  HDB_ASSIGN(const std::string text, profile_template(flags.template_kind));
  HDB_TRY(print_text(text));
  return kFine;
}

// What a medium of this profile would be refused for: its near cache.
Status check_use(const std::string& file, const DeviceProfile& profile) {
  MediumSpec word;
  word.profile = file;
  word.name = profile.medium;
  if (profile.medium == kNearMedium) return ok_status();
  if (word.name.empty()) word.name = profile.kind == DeviceKind::kBlock ? "nvme" : "cxl";
  if (profile.near_cache && profile.near_cache->cache_bytes == 0) word.options["near"] = "1GiB";
  return check_emulated(word);
}

// Every error of a profile, a line each.
Result<int> check_profile(const std::string& given) {
  const bool is_path = given.find('/') != std::string::npos || given.ends_with(".json");
  const std::string file = is_path ? given : "./" + given;
  HDB_ASSIGN(const std::string text, profile_text(file));
  std::vector<std::string> errors = profile_errors(text, given);
  if (errors.empty()) {
    HDB_ASSIGN(const DeviceProfile profile, parse_profile(text, given));
    const Status use = check_use(file, profile);
    if (!use.ok()) errors.push_back(use.error().message);
  }
  std::string found;
  for (const std::string& error : errors) found += error + "\n";
  if (const std::size_t count = template_sources(text); count != 0) {
    found += fmt::format("{}: note: {} of its sources are still the template's\n", given, count);
  }
  if (errors.empty()) found += fmt::format("{}: a profile that can be used\n", given);
  HDB_TRY(print_text(found));
  if (errors.empty()) return kFine;
  return usage_error(fmt::format("{}: {}", given, counted(errors.size(), "error")));
}

Result<int> profile(const FlagSet&, ProfileFlags& flags) {
  const int given = static_cast<int>(!flags.where.empty()) +
                    static_cast<int>(!flags.template_kind.empty()) +
                    static_cast<int>(!flags.check.empty());
  if (given != 1) return usage_error("profile: give one of where, --template and --check");
  if (!flags.template_kind.empty()) return print_template(flags);
  if (!flags.check.empty()) return check_profile(flags.check);
  if (flags.size_mib < kSizeMin)
    return usage_error(
        fmt::format("--size: {} MiB, expected {} or more", flags.size_mib, kSizeMin));
  if (flags.rounds < 1) return usage_error("--reps: 0, expected 1 or more");
  const OutputFile out{"-o", flags.out, flags.force};
  if (out.is_given() && out.path.extension() != ".json") {
    return usage_error(fmt::format("-o: {}, expected a name that ends in .json", flags.out));
  }
  HDB_TRY(check_output(out));
  const OutputFile page{"--page", flags.page, flags.force};
  HDB_TRY(check_output(page));
  if (page.is_given() && page.path == out.path)
    return usage_error(fmt::format("--page: {} is what -o names", flags.page));
  (void)tell_preflight();
  OnePool pools;
  const Host host = read_host(pools.all_threads());
  ProbedDevice device;
  {
    Progress progress("profile of " + flags.where);
    HDB_ASSIGN(device, probe_where(flags, host, pools, progress));
  }
  const std::string source =
      fmt::format("measured by hdbench profile {} ({}), medians of {} rounds, on {}", version(),
                  commit(), flags.rounds, describe(host));
  const std::string name = (out.is_given() ? out.path : page.path).stem().string();
  const std::string json = profile_json(device, name, source);
  const Status written = write_output(out, json);
  const bool is_kept = out.is_given() && written.ok();
  // The table is there, whatever became of the file.
  HDB_TRY(print_text(profile_table(device) +
                     (is_kept ? fmt::format("written to {}\n", flags.out) : "")));
  if (!written.ok()) return written.error();
  HDB_TRY(write_page(page, json));
  return kFine;
}

}  // namespace

void add_profile_command(Commands& commands) {
  auto [command, flags] = commands.add<ProfileFlags>(
      "profile",
      "Measure a disk, this machine's memory or a node's, and write a profile for the emulator",
      profile);
  command
      .add_path("where", PathUse::kMeasuresDirectory, flags.where,
                "a directory on the disk to measure, dram, numa:N (a node's memory) or cxl")
      .without_type();
  command.group("A profile by hand");
  command.add("--template", "KIND", flags.template_kind,
              "print a profile of this kind with every field explained: cxl, app-direct, "
              "memory-mode, nvme, ebs (a volume with credits), dram (what ratios are held "
              "against)");
  command.add_path("--check", PathUse::kReadsFile, flags.check,
                   "print every error of this profile, a line each");
  command.group("Repetition");
  command.add(
      "--size", "N", flags.size_mib,
      "MiB of the unnamed scratch file, on a disk; files of several sizes take as much at most");
  command.add("--reps", "N", flags.rounds, "rounds; a figure is their median");
  command.group("Output");
  command.add_path("-o,--out", PathUse::kWritesFile, flags.out,
                   "write the profile here: NAME.json");
  command.add_path("--page", PathUse::kWritesFile, flags.page,
                   "draw its curves in a page of HTML, written here");
  command.add_flag("--force", flags.force, kForceHelp);
  command.examples({"hdbench profile /mnt/disk -o disk.json", "hdbench profile numa:1 -o far.json",
                    "hdbench profile dram -o dram.json --page dram.html",
                    "hdbench profile --template cxl > mine.json",
                    "hdbench profile --check mine.json"});
}

}  // namespace hdbench::bench
