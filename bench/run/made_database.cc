#include "bench/run/made_database.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>

#include "bench/base/interrupt.h"
#include "bench/base/progress.h"
#include "bench/machine/memory_probe.h"
#include "bench/model/cell_ceiling.h"
#include "bench/run/expected_counts.h"
#include "datagen/day_counts.h"
#include "datagen/generate.h"
#include "engine/base/bytes.h"
#include "engine/base/thread_pool.h"
#include "pmem/base/cgroup_limits.h"

namespace hdbench::bench {
namespace {

// Bytes of the partitions that a resumed run finds whole.
std::uint64_t bytes_there(const std::filesystem::path& directory, bool resume) {
  if (!resume) return 0;
  const auto manifest = datagen::read_manifest(manifest_path(directory));
  return manifest.ok() ? manifest->bytes() : 0;
}

constexpr double kUsualScale = 0.05;
constexpr std::uint64_t kDatabaseMost = 3'000'000'000;
constexpr std::uint64_t kMemoryShare = 3;
constexpr std::uint64_t kDiskShare = 2;

// The bytes that the queries of paper.q read and write, in order, for each row of a table of nine
// columns with p# on col3. Wider tables and others without p# move more.
constexpr std::array<double, 11> kMovedPerRow = {0.051, 1.19, 3.17, 2.11, 0.25, 6.00,
                                                 15.9,  5.96, 5.97, 49.4, 131};
// The greater queries, which must move enough: 7, 10 and 11. They read several columns of the whole
// range, or return a month's rows. With more of them a first run would take longer.
constexpr std::size_t kGreater = 3;

// The scale at which a query moves enough, rounded up to two digits.
double needed_scale(double moved_per_row, double rows, std::uint64_t cache_bytes) {
  const double scale = static_cast<double>(kCachesOfData * cache_bytes) / (moved_per_row * rows);
  if (scale <= 0) return 0;
  const double digits = std::pow(10, 1 - std::floor(std::log10(scale)));
  return std::ceil(scale * digits) / digits;
}

struct Limit {
  std::uint64_t bytes = kDatabaseMost;
  const char* what = "3 GB";

  void take(std::uint64_t other, const char* name) {
    if (other < bytes) *this = {other, name};
  }
};

Limit scale_limit_of(const MachineLimits& limits) {
  Limit limit;
  if (limits.memory_bytes > 0)
    limit.take(limits.memory_bytes / kMemoryShare, "a third of the memory");
  if (limits.free_disk_bytes)
    limit.take(*limits.free_disk_bytes / kDiskShare, "half of the free disk space");
  return limit;
}

std::string reason_of(std::size_t queries, const Limit& limit, std::uint64_t cache_bytes) {
  if (cache_bytes == 0) return "the kernel does not tell how large the caches are";
  const std::size_t all = kMovedPerRow.size();
  std::string text = fmt::format(
      "{} of the {} queries move at least {} times the last-level caches ({} MiB); "
      "reports leave the warm figures of the other {} out of means",
      queries, all, kCachesOfData, cache_bytes / kMiB, all - queries);
  if (queries < kGreater)
    text += fmt::format(", as a database within {} does not let more of them count", limit.what);
  return text;
}

}  // namespace

Result<MadeDatabase> make_database(const std::filesystem::path& directory, datagen::Spec spec,
                                   bool resume, double scale_share) {
  if (spec.threads == 0) spec.threads = read_cgroup_limits().threads(usable_cpus().size());
  const std::uint64_t kept_bytes = bytes_there(directory, resume);
  Progress progress(fmt::format("gen {}", datagen::profile_name(spec.profile)));
  datagen::GenerateOptions options;
  options.resume = resume;
  options.scale_share = scale_share;
  options.stop = &interrupted();
  options.progress = [&](const datagen::Progress& now) {
    progress.show(now.bytes_done, now.bytes,
                  fmt::format("{} of {} partitions", now.partitions_done, now.partitions));
  };
  const auto begin = std::chrono::steady_clock::now();
  HDB_ASSIGN(datagen::Manifest manifest, datagen::generate(directory, spec, options));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  const std::uint64_t written_bytes = manifest.bytes() - kept_bytes;
  return MadeDatabase{std::move(manifest), written_bytes, elapsed.count()};
}

std::string database_name(const datagen::Spec& spec) {
  const datagen::Spec usual;
  std::string name = fmt::format("{}-{}", datagen::profile_name(spec.profile), spec.scale);
  const std::string parted = datagen::parted_column(spec);
  if (!parted.empty()) name += "-" + parted;
  if (spec.columns != usual.columns) name += fmt::format("-{}columns", spec.columns);
  if (spec.seed != usual.seed) name += fmt::format("-seed{}", spec.seed);
  if (spec.compression != usual.compression) {
    std::string compression = to_text(spec.compression);
    std::replace(compression.begin(), compression.end(), ':', '-');
    name += "-" + compression;
  }
  if (spec.synthetic) name += "-synthetic";
  return name;
}

std::filesystem::path database_cache() {
  if (const char* const cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != 0) {
    return std::filesystem::path(cache) / "hdbench";
  }
  if (const char* const home = std::getenv("HOME"); home != nullptr && *home != 0) {
    return std::filesystem::path(home) / ".cache" / "hdbench";
  }
  std::error_code error;
  return std::filesystem::temp_directory_path(error) / "hdbench";
}

MachineLimits limits_for(const std::filesystem::path& directory) {
  const Host host = read_host(usable_cpus().size());
  MachineLimits limits{last_level_bytes(host), host.memory_limit_bytes.value_or(host.memory_bytes)};
  std::error_code error;
  std::filesystem::path there = std::filesystem::absolute(directory, error);
  while (!error && !there.empty() && !std::filesystem::exists(there, error) &&
         there != there.root_path())
    there = there.parent_path();
  const std::filesystem::space_info space = std::filesystem::space(there, error);
  if (!error) limits.free_disk_bytes = space.available;
  return limits;
}

FirstScale first_scale(const datagen::Spec& spec, const MachineLimits& limits) {
  datagen::Spec whole = spec;
  whole.scale = 1;
  double rows = 0;
  for (const datagen::DayCount& day : datagen::day_counts(whole))
    rows += static_cast<double>(day.rows());
  const Limit limit = scale_limit_of(limits);
  constexpr double kLeast = 1e-6;
  const double most = datagen::scale_of_bytes(whole, limit.bytes).value_or(kLeast);

  std::array<double, kMovedPerRow.size()> needed{};
  for (std::size_t i = 0; i < needed.size(); ++i)
    needed[i] = needed_scale(kMovedPerRow[i], rows, limits.cache_bytes);
  std::sort(needed.begin(), needed.end());
  FirstScale chosen{std::min(kUsualScale, most), 0, {}};
  for (std::size_t i = 0; i < kGreater; ++i) {
    if (needed[i] <= most) chosen.scale = std::max(chosen.scale, needed[i]);
  }
  for (const double one : needed) chosen.queries += one <= chosen.scale ? 1 : 0;
  chosen.reason = reason_of(chosen.queries, limit, limits.cache_bytes);
  return chosen;
}

Result<FirstScale> scale_of_word(const std::string& word, const datagen::Spec& spec,
                                 const std::filesystem::path& directory,
                                 std::optional<double> known) {
  FirstScale scale;
  if (word != "auto") {
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, scale.scale);
    if (error == std::errc{} && stop == end && std::isfinite(scale.scale) && scale.scale >= 0)
      return scale;
    return usage_error(fmt::format("--scale: '{}' is no number from 0 up, nor auto", word));
  }
  if (spec.profile != datagen::Profile::kPaper)
    return usage_error("--scale auto: for the profile paper, whose queries it is chosen by");
  if (known) {
    scale.scale = *known;
    return scale;
  }
  return first_scale(spec, limits_for(directory));
}

}  // namespace hdbench::bench
