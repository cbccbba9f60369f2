#include "bench/machine/other_load.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>
#include <sstream>

namespace hdbench {
namespace {

constexpr double kPercent = 5;

double own_cpu_s() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double seconds_of(std::uint64_t ticks) {
  return static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace

std::optional<CpuTicks> parse_cpu_ticks(const std::string& stat) {
  std::istringstream stream(stat);
  std::string name;
  // user nice system idle iowait irq softirq steal (proc(5))
  std::uint64_t ticks[8] = {};
  if (!(stream >> name) || name != "cpu") return std::nullopt;
  for (std::uint64_t& one : ticks) {
    if (!(stream >> one)) return std::nullopt;
  }
  CpuTicks sum;
  sum.interrupts = ticks[5] + ticks[6];
  sum.busy = ticks[0] + ticks[1] + ticks[2] + sum.interrupts;
  sum.stolen = ticks[7];
  for (const std::uint64_t one : ticks) sum.all += one;
  return sum;
}

std::optional<CpuTicks> read_cpu_ticks(const MachinePaths& paths) {
  std::ifstream stream(paths.procfs / "stat");
  std::string first;
  std::getline(stream, first);
  return parse_cpu_ticks(first);
}

std::optional<PreflightNote> load_note(const CpuTicks& before, const CpuTicks& after) {
  if (after.all <= before.all) return std::nullopt;
  const auto all = static_cast<double>(after.all - before.all);
  const double busy = 100 * static_cast<double>(after.busy - before.busy) / all;
  const double stolen = 100 * static_cast<double>(after.stolen - before.stolen) / all;
  if (busy < kPercent && stolen < kPercent) return std::nullopt;
  return PreflightNote{"load", fmt::format("other work uses {:.0f} % of the CPUs and a hypervisor "
                                           "takes {:.0f} %: figures will be slower and apart",
                                           busy, stolen)};
}

void OtherLoad::add(const OtherLoad& more) {
  all_s += more.all_s;
  other_s += more.other_s;
  stolen_s += more.stolen_s;
}

std::optional<PreflightNote> OtherLoad::note() const {
  if (all_s < 1) return std::nullopt;
  const double other = 100 * other_s / all_s;
  const double stolen = 100 * stolen_s / all_s;
  if (other < kPercent && stolen < kPercent) return std::nullopt;
  return PreflightNote{
      kNoteName,
      fmt::format("while cells ran, other work used {:.0f} % of the CPUs and a hypervisor took "
                  "{:.0f} %: figures are slower than a quiet machine's, emulated ones too",
                  std::max(0.0, other), stolen)};
}

void OtherLoadWatch::begin() {
  before_ = read_cpu_ticks(paths_);
  own_before_s_ = own_cpu_s();
}

void OtherLoadWatch::end() {
  const double own_s = own_cpu_s() - own_before_s_;
  const auto after = read_cpu_ticks(paths_);
  if (!before_ || !after || after->all < before_->all) return;
  const double busy_s =
      seconds_of(after->busy - after->interrupts) - seconds_of(before_->busy - before_->interrupts);
  // What ticks make too much of one window they make too little of another.
  sum_.add({seconds_of(after->all - before_->all), busy_s - own_s,
            seconds_of(after->stolen - before_->stolen)});
}

}  // namespace hdbench
