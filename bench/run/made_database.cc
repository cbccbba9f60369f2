#include "bench/run/made_database.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

#include "bench/base/interrupt.h"
#include "bench/base/progress.h"
#include "bench/run/expected_counts.h"
#include "datagen/generate.h"
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

}  // namespace hdbench::bench
