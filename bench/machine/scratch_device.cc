#include "bench/machine/scratch_device.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <system_error>

#include "engine/base/file_handle.h"
#include "engine/base/new_file.h"
#include "engine/base/result.h"
#include "engine/base/units.h"
#include "engine/base/write_guard.h"

namespace hdbench {
namespace {

constexpr std::size_t kFileBlocks = 512;  // of a MiB each

// Random bytes: a device that packs or recognises what it holds gains nothing by them.
Status fill(const FileHandle& file, const std::filesystem::path& directory) {
  std::mt19937_64 random(0x9e3779b97f4a7c15u);
  std::vector<std::uint64_t> block(kMiB / sizeof(std::uint64_t));
  for (std::size_t i = 0; i < kFileBlocks; ++i) {
    for (std::uint64_t& word : block) word = random();
    const ssize_t count = ::write(file.descriptor(), block.data(), kMiB);
    if (count != static_cast<ssize_t>(kMiB)) {
      return file_error(directory, "cannot write a scratch file", count < 0 ? errno : ENOSPC);
    }
  }
  // What is still to be written would be neither read past the page cache nor dropped.
  if (::fsync(file.descriptor()) != 0) {
    return file_error(directory, "cannot write a scratch file", errno);
  }
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
  const Status allowed = check_outside_databases("scratch directory", scratch_dir);
  const Result<FileHandle> file =
      allowed.ok() ? make_unnamed_file(scratch_dir) : Result<FileHandle>(allowed.error());
  if (!file.ok()) {
    ceilings.reason = file.error().message;
    return;
  }
  const Status filled = fill(*file, scratch_dir);
  if (filled.ok()) {
    measure_device({fmt::format("/proc/self/fd/{}", file->descriptor())}, ceilings, scratch_dir);
  } else {
    ceilings.reason = filled.error().message;
  }
}

}  // namespace hdbench
