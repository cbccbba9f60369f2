#include "bench/machine/scratch_device.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <atomic>

#include "bench/machine/filled_file.h"
#include "engine/base/result.h"
#include "engine/base/units.h"
#include "engine/base/write_guard.h"

namespace hdbench::bench {
namespace {

constexpr std::size_t kFileBytes = 512 * kMiB;

Status measure_scratch(const std::filesystem::path& scratch_dir, DeviceCeilings& ceilings) {
  const std::atomic<bool> stop{false};
  HDB_TRY(check_outside_databases("scratch directory", scratch_dir));
  HDB_ASSIGN(const FileHandle file, filled_file(scratch_dir, kFileBytes, stop));
  measure_device({fmt::format("/proc/self/fd/{}", file.descriptor())}, ceilings, scratch_dir);
  return ok_status();
}

}  // namespace

bool is_other_device(const std::filesystem::path& scratch_dir,
                     const std::vector<std::filesystem::path>& column_files) {
  struct stat scratch = {};
  struct stat column = {};
  return !column_files.empty() && ::stat(scratch_dir.c_str(), &scratch) == 0 &&
         ::stat(column_files.front().c_str(), &column) == 0 && scratch.st_dev != column.st_dev;
}

void measure_scratch_device(const std::filesystem::path& scratch_dir, DeviceCeilings& ceilings) {
  const Status measured = measure_scratch(scratch_dir, ceilings);
  if (!measured.ok()) ceilings.reason = measured.error().message;
}

}  // namespace hdbench::bench
