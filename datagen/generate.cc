#include "datagen/generate.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "datagen/domain_list.h"
#include "datagen/generation.h"
#include "datagen/layout.h"
#include "datagen/partition_files.h"
#include "datagen/staging_directory.h"
#include "engine/base/thread_pool.h"
#include "engine/column/format_value.h"

namespace hdbench::datagen {
namespace {

namespace fs = std::filesystem;

// The manifest that a resumed run goes on from: only the partitions that are there have sums.
Result<Manifest> manifest_of_rest(const DatabasePaths& paths, const Spec& spec) {
  std::error_code error;
  if (!fs::exists(paths.manifest, error)) return new_manifest(spec);
  HDB_ASSIGN(Manifest manifest, read_manifest(paths.manifest));
  HDB_TRY(check_same_spec(manifest.spec, spec, paths.manifest));
  for (PartitionEntry& entry : manifest.partitions) {
    const fs::path partition = paths.root / partition_name(QType::kDate, entry.day.date);
    if (!fs::exists(partition, error)) {
      entry.sum.reset();
      continue;
    }
    HDB_ASSIGN(const std::uint64_t bytes, check_lengths(partition, spec, entry.day));
    if (entry.sum && entry.sum->bytes == bytes) continue;
    if (entry.sum) {
      return data_error(
          fmt::format("{}: {} bytes of columns, but the manifest has {}: remove it "
                      "to have it made again",
                      partition.string(), bytes, entry.sum->bytes));
    }
    HDB_ASSIGN(entry.sum, read_partition_sum(partition, spec));
  }
  return manifest;
}

// "315.6 GB", "12.3 MB".
std::string size_text(std::uint64_t bytes) {
  constexpr double kGb = 1e9;
  constexpr double kMb = 1e6;
  const auto size = static_cast<double>(bytes);
  return size >= kGb ? fmt::format("{:.1f} GB", size / kGb) : fmt::format("{:.1f} MB", size / kMb);
}

Status check_room(const StagingDirectory& site, const Manifest& manifest,
                  const GenerateOptions& options) {
  const auto tables = table_plans(manifest.spec);
  std::uint64_t needed = 0;
  for (const PartitionEntry& entry : manifest.partitions) {
    if (!entry.sum) needed += day_bytes(tables, entry.day);
  }
  HDB_ASSIGN(const std::uint64_t room, site.free_bytes());
  if (needed <= room) return ok_status();
  std::string message = fmt::format("{}: needs {}, {} free", site.paths().root.string(),
                                    size_text(needed), size_text(room));
  // What is begun already has its scale.
  const bool is_new = manifest.partitions_complete() == 0;
  // Some room is left for indices, `sym` and the manifest.
  const auto scale = scale_of_bytes(manifest.spec, room - room / 50);
  if (is_new && scale) {
    message += fmt::format(": --scale {:.3g} would fit", *scale / options.scale_share);
  }
  return data_error(std::move(message));
}

// What a run of this spec makes in DB.partial.
std::vector<fs::path> files_of(const Spec& spec) {
  std::vector<fs::path> files{fs::path(kManifestName), fs::path(kDomainName)};
  const auto tables = table_plans(spec);
  for (const DayCount& day : day_counts(spec)) {
    const fs::path partition = partition_name(QType::kDate, day.date);
    files.push_back(partition);
    for (const TablePlan& plan : tables) {
      const fs::path table = partition / plan.name;
      files.insert(files.end(), {table, table / ".d"});
      for (const ColumnPlan& column : plan.columns) files.push_back(table / column.name);
    }
  }
  return files;
}

// What may be removed from DB.partial: what the manifest beside it, or for a run that ended before
// it was there, the one in it, says that this generator made.
Result<std::vector<fs::path>> claimed_files(const DatabasePaths& paths, const Spec& spec) {
  for (const fs::path& place : {paths.manifest, paths.partial / kManifestName}) {
    std::error_code error;
    if (!fs::is_regular_file(fs::symlink_status(place, error))) continue;
    HDB_ASSIGN(const Manifest manifest, read_manifest(place));
    HDB_TRY(check_same_spec(manifest.spec, spec, place));
    return files_of(spec);
  }
  return std::vector<fs::path>();
}

Result<StagingDirectory> site_for(const DatabasePaths& paths, const Spec& spec, bool resume) {
  if (!resume) return StagingDirectory::create(paths);
  HDB_ASSIGN(const std::vector<fs::path> claimed, claimed_files(paths, spec));
  return StagingDirectory::resume(paths, claimed);
}

}  // namespace

Result<Manifest> generate(const fs::path& db, const Spec& spec, const GenerateOptions& options) {
  HDB_TRY(validate(spec));
  HDB_ASSIGN(const DatabasePaths paths, database_paths(db));
  HDB_ASSIGN(StagingDirectory site, site_for(paths, spec, options.resume));
  HDB_ASSIGN(Manifest manifest, manifest_of_rest(paths, spec));
  if (options.check_free_space) HDB_TRY(check_room(site, manifest, options));
  HDB_TRY(site.save_manifest(manifest_text(manifest)));
  Generation generation(site, manifest, options);
  HDB_TRY(generation.run(spec.threads == 0 ? usable_cpus().size() : spec.threads));
  return manifest;
}

std::uint64_t expected_bytes(const Spec& spec) {
  const auto tables = table_plans(spec);
  std::uint64_t bytes = 0;
  for (const DayCount& day : day_counts(spec)) bytes += day_bytes(tables, day);
  return bytes;
}

std::optional<double> scale_of_bytes(const Spec& spec, std::uint64_t bytes) {
  const auto fits = [&](double scale) {
    Spec scaled = spec;
    scaled.scale = scale;
    return expected_bytes(scaled) <= bytes;
  };
  constexpr double kScaleMin = 1e-6;
  if (!fits(kScaleMin)) return std::nullopt;
  if (fits(kScaleMax)) return kScaleMax;
  double low = kScaleMin;
  double high = kScaleMax;
  constexpr int kSteps = 60;
  for (int step = 0; step < kSteps; ++step) {
    const double middle = std::sqrt(low * high);
    (fits(middle) ? low : high) = middle;
  }
  // Rounded down to three digits.
  const double unit = std::pow(10, std::floor(std::log10(low)) - 2);
  return std::stod(fmt::format("{:.3g}", std::floor(low / unit + 1e-9) * unit));
}

}  // namespace hdbench::datagen
