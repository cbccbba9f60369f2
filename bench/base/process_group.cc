#include "bench/base/process_group.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <ctime>
#include <new>
#include <string_view>

#include "bench/base/child_process.h"
#include "bench/base/interrupt.h"
#include "bench/base/statistics.h"
#include "engine/base/file_handle.h"
#include "pmem/base/shared_array.h"

namespace hdbench::bench {
namespace {

constexpr int kPollMs = 20;

// The figures of this process, for the handler of bus errors.
ProcessFigures* own_figures = nullptr;
std::string bus_error_text = "a mapped file: the device failed or is full";

void tell(ProcessFigures& figures, std::string_view message) {
  const std::size_t length = std::min(message.size(), figures.error.size() - 1);
  std::memcpy(figures.error.data(), message.data(), length);
  figures.error[length] = '\0';
}

void on_worker_bus_error(int) {
  tell(*own_figures, bus_error_text);
  _exit(1);
}

[[noreturn]] void be_worker(Worker& worker, ProcessFigures& figures, const ProcessWork& work) {
  own_figures = &figures;
  std::signal(SIGBUS, on_worker_bus_error);
  Status status = ok_status();
  try {
    status = work(worker);
  } catch (const std::bad_alloc&) {
    tell(figures, "out of memory");
    _exit(1);
  } catch (const std::exception& error) {
    status = data_error(error.what());
  }
  if (!status.ok()) {
    tell(figures, status.error().message.empty() ? "failed" : status.error().message);
  }
  figures.finished = true;
  _exit(0);
}

class Group {
 public:
  Group(std::size_t processes, std::span<ProcessFigures> figures)
      : count_(processes), figures_(figures) {}
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group() {
    for (ChildProcess& child : children_) child.kill();
  }

  Status start(double seconds, const ProcessWork& work) {
    HDB_ASSIGN(ready_, make_pipe());
    HDB_ASSIGN(go_, make_pipe());
    const pid_t parent = ::getpid();
    for (std::size_t k = 0; k < count_; ++k) {
      auto child = ChildProcess::fork(fmt::format("process {} of {}", k + 1, count_), [&] {
        end_with(parent);
        go_.second = FileHandle();
        ready_.first = FileHandle();
        Worker worker(figures_[k], {ready_.second.descriptor(), go_.first.descriptor()}, k,
                      seconds);
        be_worker(worker, figures_[k], work);
      });
      if (!child.ok()) return child.error();
      children_.push_back(std::move(*child));
    }
    ready_.second = FileHandle();
    return ok_status();
  }

  // Each process writes a byte when it is ready.
  Status wait_until_ready() {
    std::size_t ready = 0;
    while (ready < count_) {
      HDB_ASSIGN(const std::size_t more, poll_ready());
      ready += more;
      if (more == 0 && has_failed()) return first_error();
    }
    return ok_status();
  }

  void go() { go_.second = FileHandle(); }

  // Their ends of the pipe are closed when they have all gone.
  Status wait_until_done() {
    while (!all_gone_) {
      HDB_ASSIGN([[maybe_unused]] const std::size_t ignored, poll_ready());
    }
    for (ChildProcess& child : children_) child.wait();
    return first_error();
  }

 private:
  Result<std::size_t> poll_ready() {
    if (interrupted().load()) return usage_error("interrupted");
    pollfd waited{ready_.first.descriptor(), POLLIN, 0};
    if (::poll(&waited, 1, kPollMs) <= 0) return std::size_t{0};
    char bytes[kReadAtOnce];
    const ssize_t got = ::read(ready_.first.descriptor(), bytes, sizeof(bytes));
    if (got == 0) all_gone_ = true;
    return static_cast<std::size_t>(std::max<ssize_t>(got, 0));
  }

  // Before the start: one has ended, and none may have.
  bool has_failed() {
    if (all_gone_) return true;
    return std::any_of(children_.begin(), children_.end(),
                       [](ChildProcess& child) { return !child.is_running(); });
  }

  Status first_error() {
    for (std::size_t k = 0; k < count_; ++k) {
      if (figures_[k].error[0] != '\0') return data_error(figures_[k].error.data());
    }
    const auto killed = std::find_if(children_.begin(), children_.end(),
                                     [](const ChildProcess& one) { return one.signal() != 0; });
    for (std::size_t k = 0; k < count_; ++k) {
      if (figures_[k].finished) continue;
      return data_error(
          fmt::format("process {} of {} was ended{}", k + 1, count_,
                      killed == children_.end() ? "" : " by " + killed->how_it_ended()));
    }
    return ok_status();
  }

  static constexpr std::size_t kReadAtOnce = 64;

  std::size_t count_;
  Channel ready_;
  Channel go_;
  std::span<ProcessFigures> figures_;
  std::vector<ChildProcess> children_;
  bool all_gone_ = false;
};

}  // namespace

std::uint64_t monotonic_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

void Worker::name_place(const std::string& place) {
  bus_error_text = place + ": a mapped file: the device failed or is full";
}

Status Worker::begin() {
  before_ = read_page_counters();
  const char ready = 'r';
  if (::write(pipes_.ready, &ready, 1) != 1) return data_error("the start: the parent has gone");
  char ignored = 0;
  while (::read(pipes_.go, &ignored, 1) < 0 && errno == EINTR) continue;
  figures_.begin_ns = last_ns_ = monotonic_ns();
  return ok_status();
}

void Worker::end() {
  figures_.end_ns = monotonic_ns();
  const PageCounters counted = read_page_counters().since(before_);
  figures_.major_faults = counted.major_faults;
  figures_.device_bytes_known = counted.device_bytes_read.has_value();
  figures_.device_bytes_read = counted.device_bytes_read.value_or(0);
}

Status Worker::check_sum(std::uint64_t found, std::uint64_t expected, const char* what) {
  figures_.checksum += found;
  figures_.checked = true;
  if (found == expected) return ok_status();
  return data_error(
      fmt::format("{}: the bytes' sum is {:016x}, expected {:016x}", what, found, expected));
}

Result<std::vector<ProcessFigures>> run_processes(std::size_t processes, double seconds,
                                                  const ProcessWork& work,
                                                  const BeforeStart& before_start) {
  const SharedArray<ProcessFigures> figures(processes);
  Group group(processes, figures.all());
  Status ready = group.start(seconds, work);
  if (ready.ok()) ready = group.wait_until_ready();
  if (before_start) ready = before_start(ready);
  HDB_TRY(ready);
  group.go();
  HDB_TRY(group.wait_until_done());
  return std::vector<ProcessFigures>(figures.all().begin(), figures.all().end());
}

double wall_seconds(std::span<const ProcessFigures> reports) {
  const auto begin = std::ranges::min_element(reports, {}, &ProcessFigures::begin_ns)->begin_ns;
  const auto end = std::ranges::max_element(reports, {}, &ProcessFigures::end_ns)->end_ns;
  return static_cast<double>(std::max<std::uint64_t>(end - begin, 1)) / 1e9;
}

double mb_per_s(std::span<const ProcessFigures> reports) {
  std::uint64_t bytes = 0;
  for (const ProcessFigures& one : reports) bytes += one.bytes;
  return static_cast<double>(bytes) / 1e6 / wall_seconds(reports);
}

double ms_per_operation(std::span<const ProcessFigures> reports) {
  double seconds = 0;
  std::uint64_t operations = 0;
  for (const ProcessFigures& one : reports) {
    seconds += one.seconds();
    operations += one.operations;
  }
  return seconds * 1e3 / static_cast<double>(std::max<std::uint64_t>(operations, 1));
}

double spread_of(std::span<const ProcessFigures> reports) {
  std::vector<double> rates;
  for (const ProcessFigures& one : reports) {
    const std::uint64_t work = one.bytes != 0 ? one.bytes : one.operations;
    rates.push_back(static_cast<double>(work) / std::max(one.seconds(), 1e-9));
  }
  return summarise(rates).relative_spread;
}

void LatencyCounts::add(const LatencyCounts& other) {
  for (std::size_t i = 0; i < bins_.size(); ++i) bins_[i] += other.bins_[i];
  total_ += other.total_;
  total_ns_ += other.total_ns_;
  max_ = std::max(max_, other.max_);
}

std::optional<double> LatencyCounts::mean() const {
  if (total_ == 0) return std::nullopt;
  return static_cast<double>(total_ns_) / static_cast<double>(total_);
}

double LatencyCounts::middle_of(std::size_t bin) {
  if (bin < kStep) return static_cast<double>(bin);
  const std::size_t shift = bin / kStep - 1;
  const double width = std::ldexp(1.0, static_cast<int>(shift));
  return (static_cast<double>(bin % kStep + kStep) + 0.5) * width;
}

std::optional<double> LatencyCounts::percentile(double part) const {
  // A hair less, so that 1 / (1 - 0.9) is 10 and not a little more.
  if (static_cast<double>(total_) * (1 - part) < 1 - 1e-9) return std::nullopt;
  const auto rank = static_cast<std::uint64_t>(std::ceil(part * static_cast<double>(total_)));
  std::uint64_t seen = 0;
  for (std::size_t bin = 0; bin < bins_.size(); ++bin) {
    seen += bins_[bin];
    if (seen >= rank && seen > 0) return std::min(middle_of(bin), static_cast<double>(max_));
  }
  return std::nullopt;
}

}  // namespace hdbench::bench
