#include "bench/storage/filesystems/filesystem_comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "bench/base/lines.h"
#include "bench/base/statistics.h"
#include "bench/privileges/privileges.h"
#include "bench/storage/filesystems/spare_device.h"
#include "bench/storage/io_tests.h"

namespace hdbench::bench {
namespace {

using Clock = std::chrono::steady_clock;
using OnCompareStep = std::function<void(std::size_t, std::size_t, std::string_view)>;

// What no filesystem has a part in is left out, unless requested.
constexpr const char* kTestsOfFilesystems = "-/engine:memory";
// What a filesystem keeps to itself of its bytes must not come out of what run_io() wants.
constexpr std::uint64_t kImageTimes = kIoDiskTimes + 1;
constexpr std::uint64_t kImageExtraBytes = std::uint64_t{384} << 20;
constexpr std::uint64_t kChunksBytes = std::uint64_t{2} << 30;
constexpr std::string_view kMark = "/filesystem:";
constexpr std::uint64_t kQuickImageBytes = std::uint64_t{16} << 20;

// Keeps the filesystems of which reason(kind) gives nothing; the others are left out with the
// reason. Errors: kData: fewer than two are kept; what reason() says.
template <typename Reason>
Status keep(std::vector<FilesystemKind>& kinds, std::vector<std::string>& left_out,
            const Reason& reason) {
  std::vector<FilesystemKind> kept;
  for (const FilesystemKind& kind : kinds) {
    HDB_ASSIGN(const std::optional<std::string> why, reason(kind));
    if (why) {
      left_out.push_back(fmt::format("{}: {}", kind.name, *why));
    } else {
      kept.push_back(kind);
    }
  }
  kinds = std::move(kept);
  if (kinds.size() >= 2) return ok_status();
  return data_error(fmt::format("nothing is left to compare{}: {}",
                                kinds.empty() ? "" : fmt::format(" {} with", kinds.front().name),
                                fmt::join(left_out, "; ")));
}

class Comparer {
 public:
  Comparer(const ComparisonOptions& options, ImageHelper& image, const std::atomic<bool>& stop,
           const OnCompareStep& on_step, FilesystemComparison& comparison)
      : options_(options),
        image_(image),
        stop_(stop),
        on_step_(on_step),
        kinds_(options.kinds),
        comparison_(comparison) {}

  Status run() {
    HDB_TRY(leave_out_unmountable());
    for (const FilesystemKind& kind : kinds_) comparison_.figures.push_back({kind.name, {}});
    comparison_.places.resize(kinds_.size());
    for (std::size_t round = 0; round < options_.rounds; ++round) {
      const auto begin = Clock::now();
      for (const std::size_t k : visiting_order(kinds_.size(), round)) HDB_TRY(visit(k, round));
      ++comparison_.rounds;
      const bool is_last = round + 1 == options_.rounds;
      if (!is_last && seconds_since(begin_) + seconds_since(begin) > options_.budget_s) {
        comparison_.complete = false;
        break;
      }
    }
    return ok_status();
  }

 private:
  // Each is mounted once before anything is measured: a kernel may lack one, and say so only now.
  Status leave_out_unmountable() {
    using Why = Result<std::optional<std::string>>;
    return keep(kinds_, comparison_.left_out, [&](const FilesystemKind& kind) -> Why {
      if (stop_.load()) return usage_error("interrupted");
      const auto mounted = image_.mount(kind.name);
      if (!mounted.ok()) return std::optional(mounted.error().message);
      HDB_TRY(image_.unmount());
      return std::optional<std::string>();
    });
  }

  Status visit(std::size_t k, std::size_t round) {
    const FilesystemKind& kind = kinds_[k];
    if (stop_.load()) return usage_error("interrupted");
    HDB_ASSIGN(const std::filesystem::path place, image_.mount(kind.name));
    IoOptions io = options_.io;
    io.targets = {place};
    io.reps = 1;  // a round each: repetitions lie as far apart as can be
    io.budget_s.reset();
    io.seed = options_.io.seed + round;
    if (io.tests.empty()) io.tests = kTestsOfFilesystems;
    Result<IoRun> run = run_io(io, [&](std::size_t done, std::size_t total, std::string_view what) {
      const std::size_t visits = kinds_.size() * options_.rounds;
      on_step_(visited_ * total + done, visits * total, fmt::format("{} {}", kind.name, what));
      return !stop_.load();
    });
    ++visited_;
    const Status unmounted = image_.unmount();
    if (!run.ok()) {
      Error error = run.error();
      if (error.message != "interrupted")
        error.message = fmt::format("{}: {}", kind.name, error.message);
      if (!unmounted.ok()) error.message += "; " + unmounted.error().message;
      return error;
    }
    if (!unmounted.ok()) return unmounted.error();
    for (const std::string& line : run->left_out)
      add_once(comparison_.left_out, fmt::format("{}: {}", kind.name, line));
    add_round(comparison_.figures[k], std::move(run->results));
    comparison_.complete = comparison_.complete && run->complete;
    if (!run->targets.empty()) {
      comparison_.places[k] = fmt::format("{}: {}", kind.name, run->targets.front().mount_options);
    }
    run->results.clear();
    comparison_.last = std::move(*run);
    return ok_status();
  }

  const ComparisonOptions& options_;
  ImageHelper& image_;
  const std::atomic<bool>& stop_;
  const OnCompareStep& on_step_;
  std::vector<FilesystemKind> kinds_;
  FilesystemComparison& comparison_;
  const Clock::time_point begin_ = Clock::now();
  std::size_t visited_ = 0;
};

// What reserves by its device's size, and has too little of it here.
void note_small(const ComparisonOptions& options, const ImageSize& has,
                FilesystemComparison& comparison) {
  const ImageSize wanted = image_size(options);
  for (const FilesystemKind& kind : options.kinds) {
    if (kind.seeming_times == 0 || has.seeming_bytes >= wanted.seeming_bytes) continue;
    comparison.left_out.push_back(fmt::format(
        "{}: its device has {:.1f} GiB and its reservations of metadata want {:.1f}: what is "
        "replaced at random may be written page by page",
        kind.name, static_cast<double>(has.seeming_bytes) / (1 << 30),
        static_cast<double>(wanted.seeming_bytes) / (1 << 30)));
  }
}

Status compare_on(const ComparisonOptions& options, Guard& guard, const std::atomic<bool>& stop,
                  const OnCompareStep& on_step, FilesystemComparison& comparison) {
  on_step(0, 1, "making the image");
  HDB_ASSIGN(const auto image, FilesystemImage::make(options.directory, options.device,
                                                     image_size(options), guard, stop));
  comparison.place = image->describe();
  note_small(options, image->size(), comparison);
  HDB_ASSIGN(const auto helper, ImageHelper::start(*image));
  HDB_TRY(give_up_set_up());
  return Comparer(options, *helper, stop, on_step, comparison).run();
}

}  // namespace

std::vector<std::size_t> visiting_order(std::size_t filesystems, std::size_t round) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < filesystems; ++k) order.push_back((k + round) % filesystems);
  return order;
}

ImageSize image_size(const ComparisonOptions& options) {
  const std::uint64_t bytes = options.io.quick ? kQuickImageBytes : options.io.bytes;
  ImageSize size;
  size.bytes = kImageTimes * bytes + kImageExtraBytes;
  for (const FilesystemKind& kind : options.kinds)
    size.bytes = std::max(size.bytes, kind.bytes_min);
  std::uint64_t times = 0;
  for (const FilesystemKind& kind : options.kinds) times = std::max(times, kind.seeming_times);
  // One that takes its device in large chunks goes further than what the files take.
  if (times != 0) size.bytes += kChunksBytes;
  const std::uint64_t at_random = vectors_of(bytes).large * sizeof(std::uint64_t);
  size.seeming_bytes = size.bytes + times * at_random;
  return size;
}

Result<FilesystemComparison> compare_filesystems(const ComparisonOptions& options,
                                                 const std::atomic<bool>& stop,
                                                 const OnCompareStep& on_step) {
  ComparisonOptions possible = options;
  FilesystemComparison comparison;
  // First: a device that is in use is refused whatever else is absent.
  if (!options.device.empty()) {
    HDB_ASSIGN(possible.device, allow_device(options.device, options.yes));
  }
  HDB_TRY(keep(possible.kinds, comparison.left_out,
               [](const FilesystemKind& kind) -> Result<std::optional<std::string>> {
                 return why_not(kind);
               }));
  HDB_TRY(own_mount_namespace());
  HDB_ASSIGN(const auto guard, Guard::start());
  const Status done = compare_on(possible, *guard, stop, on_step, comparison);
  const Status undone = guard->finish();
  if (!done.ok()) {
    Error error = done.error();
    if (!undone.ok()) error.message += "; " + undone.error().message;
    return error;
  }
  if (!undone.ok()) return undone.error();
  return comparison;
}

IoRun joined(const FilesystemComparison& comparison) {
  IoRun run = comparison.last;
  run.results.clear();
  for (const FilesystemFigures& each : comparison.figures) {
    for (IoResult result : each.results) {
      result.name += std::string(kMark) + each.filesystem;
      run.results.push_back(std::move(result));
    }
  }
  run.left_out = comparison.left_out;
  run.complete = comparison.complete;
  return run;
}

std::vector<FilesystemFigures> filesystems_of(const IoRun& run) {
  std::vector<FilesystemFigures> figures;
  for (IoResult result : run.results) {
    const std::size_t at = result.name.rfind(kMark);
    if (at == std::string::npos) continue;
    const std::string filesystem = result.name.substr(at + kMark.size());
    result.name.resize(at);
    auto known = std::find_if(figures.begin(), figures.end(), [&](const FilesystemFigures& each) {
      return each.filesystem == filesystem;
    });
    if (known == figures.end()) known = figures.insert(known, {filesystem, {}});
    known->results.push_back(std::move(result));
  }
  return figures;
}

std::vector<IoResult> plain_results(const IoRun& run) {
  std::vector<IoResult> results;
  for (const IoResult& result : run.results) {
    if (result.name.find(kMark) == std::string::npos) results.push_back(result);
  }
  return results;
}

}  // namespace hdbench::bench
