#include "bench/machine/other_load.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <sstream>

#include "engine/base/thread_pool.h"

namespace hdbench::bench {
namespace {

constexpr double kTold = 0.05;

double clock_s(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double seconds_of(std::uint64_t ticks) {
  return static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

// The rest of a line behind its name: user nice system idle iowait irq softirq steal (proc(5)).
std::optional<CpuTicks> ticks_of_line(std::istream& line) {
  std::uint64_t ticks[8] = {};
  for (std::uint64_t& one : ticks) {
    if (!(line >> one)) return std::nullopt;
  }
  CpuTicks sum;
  sum.interrupts = ticks[5] + ticks[6];
  sum.busy = ticks[0] + ticks[1] + ticks[2] + sum.interrupts;
  sum.stolen = ticks[7];
  for (const std::uint64_t one : ticks) sum.all += one;
  return sum;
}

// Of the shares of other work and of a hypervisor, where one of them is large enough.
std::optional<PreflightNote> note_of(double busy, double stolen, const char* name,
                                     std::string_view text) {
  if (busy < kTold && stolen < kTold) return std::nullopt;
  return PreflightNote{name, fmt::format(fmt::runtime(text), 100 * busy, 100 * stolen),
                       100 * (busy + stolen)};
}

// Seconds of work that was no interrupt's.
double work_s(const CpuTicks& ticks) { return seconds_of(ticks.busy - ticks.interrupts); }

}  // namespace

std::optional<CpuTicks> parse_cpu_ticks(const std::string& stat, const std::vector<int>& cpus) {
  CpuTicks sum;
  std::size_t found = 0;
  std::istringstream lines(stat);
  for (std::string line; std::getline(lines, line) && line.starts_with("cpu");) {
    std::istringstream stream(line);
    std::string name;
    stream >> name;
    const bool is_wanted =
        cpus.empty() ? name == "cpu" : std::any_of(cpus.begin(), cpus.end(), [&](int cpu) {
          return name == fmt::format("cpu{}", cpu);
        });
    if (!is_wanted) continue;
    const auto ticks = ticks_of_line(stream);
    if (!ticks) return std::nullopt;
    sum.busy += ticks->busy;
    sum.stolen += ticks->stolen;
    sum.all += ticks->all;
    sum.interrupts += ticks->interrupts;
    ++found;
  }
  if (found != std::max<std::size_t>(1, cpus.size())) return std::nullopt;
  return sum;
}

std::optional<CpuTicks> read_cpu_ticks(const MachinePaths& paths, const std::vector<int>& cpus) {
  std::ifstream stream(paths.procfs / "stat");
  std::string text;
  for (std::string line; std::getline(stream, line) && line.starts_with("cpu");)
    text += line + "\n";
  return parse_cpu_ticks(text, cpus);
}

std::optional<PreflightNote> load_note(const CpuTicks& before, const CpuTicks& after) {
  if (after.all <= before.all) return std::nullopt;
  const auto all = static_cast<double>(after.all - before.all);
  const double busy = static_cast<double>(after.busy - before.busy) / all;
  const double stolen = static_cast<double>(after.stolen - before.stolen) / all;
  return note_of(busy, stolen, "load",
                 "other work uses {:.0f} % of the CPUs and a hypervisor takes {:.0f} %: figures "
                 "will be slower and apart");
}

void OtherLoad::add(const OtherLoad& more) {
  wall_s += more.wall_s;
  all_s += more.all_s;
  other_s += more.other_s;
  stolen_s += more.stolen_s;
}

std::optional<PreflightNote> OtherLoad::note() const {
  if (wall_s < 1 || all_s <= 0) return std::nullopt;
  return note_of(std::max(0.0, other_s) / all_s, stolen_s / all_s, kNoteName,
                 "while timed queries ran warm, other work used {:.0f} % of the CPUs that hdbench "
                 "may use and a hypervisor took {:.0f} %: figures may be slower than a quiet "
                 "machine's, emulated ones too");
}

OtherLoadWatch::OtherLoadWatch(MachinePaths paths)
    : OtherLoadWatch(std::move(paths), usable_cpus()) {
  // A container may number the CPUs of /proc/stat anew: all of them then, for both ends of a
  // window.
  if (!read_cpu_ticks(paths_, cpus_)) cpus_.clear();
}

// Always in this order: what looking takes is within both ends of a window, or of neither.
OtherLoadWatch::Look OtherLoadWatch::look() const {
  Look look;
  look.wall_s = clock_s(CLOCK_MONOTONIC);
  look.own_s = clock_s(CLOCK_PROCESS_CPUTIME_ID);
  look.ticks = read_cpu_ticks(paths_, cpus_);
  return look;
}

void OtherLoadWatch::begin() { before_ = look(); }

void OtherLoadWatch::end() {
  const Look after = look();
  const auto& ticks = before_.ticks;
  if (!ticks || !after.ticks || after.ticks->all < ticks->all) return;
  // What ticks make too much of one window they make too little of another.
  OtherLoad window;
  window.wall_s = after.wall_s - before_.wall_s;
  window.all_s = seconds_of(after.ticks->all - ticks->all);
  window.other_s = work_s(*after.ticks) - work_s(*ticks) - (after.own_s - before_.own_s);
  window.stolen_s = seconds_of(after.ticks->stolen - ticks->stolen);
  sum_.add(window);
}

}  // namespace hdbench::bench
