#include "datagen/generate.h"

#include <fmt/format.h>

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
    const fs::path table = partition / kTableName;
    HDB_ASSIGN(const std::uint64_t bytes, check_lengths(table, spec, entry.day));
    if (entry.sum && entry.sum->bytes == bytes) continue;
    if (entry.sum) {
      return data_error(
          fmt::format("{}: {} bytes of columns, but the manifest has {}: remove it "
                      "to have it made again",
                      partition.string(), bytes, entry.sum->bytes));
    }
    HDB_ASSIGN(entry.sum, read_partition_sum(table, spec));
  }
  return manifest;
}

Status check_room(const StagingDirectory& site, const Manifest& manifest) {
  const auto columns = column_plans(manifest.spec);
  std::uint64_t needed = 0;
  for (const PartitionEntry& entry : manifest.partitions) {
    if (!entry.sum) needed += day_bytes(columns, entry.day);
  }
  HDB_ASSIGN(const std::uint64_t room, site.free_bytes());
  if (needed <= room) return ok_status();
  return data_error(fmt::format("{}: needs {} bytes, but its filesystem has {} free",
                                site.paths().root.string(), needed, room));
}

// What a run of this spec makes in DB.partial.
std::vector<fs::path> files_of(const Spec& spec) {
  std::vector<fs::path> files{fs::path(kManifestName), fs::path(kDomainName)};
  for (const DayCount& day : day_counts(spec)) {
    const fs::path partition = partition_name(QType::kDate, day.date);
    const fs::path table = partition / kTableName;
    files.insert(files.end(), {partition, table, table / ".d"});
    for (const ColumnPlan& column : column_plans(spec)) files.push_back(table / column.name);
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
  if (options.check_free_space) HDB_TRY(check_room(site, manifest));
  HDB_TRY(site.save_manifest(manifest_text(manifest)));
  Generation generation(site, manifest, options);
  HDB_TRY(generation.run(spec.threads == 0 ? usable_cpus().size() : spec.threads));
  return manifest;
}

std::uint64_t expected_bytes(const Spec& spec) {
  const auto columns = column_plans(spec);
  std::uint64_t bytes = 0;
  for (const DayCount& day : day_counts(spec)) bytes += day_bytes(columns, day);
  return bytes;
}

}  // namespace hdbench::datagen
