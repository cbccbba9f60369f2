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

#include "engine/base/result.h"
#include "pmem/file_handle.h"

namespace hdbench {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kFileBlocks = 512;  // of a MiB each

// A file that goes with this object.
struct NamedFile {
  explicit NamedFile(const std::filesystem::path& directory)
      : name((directory / "hdbench-device-XXXXXX").string()), handle(::mkstemp(name.data())) {}
  NamedFile(const NamedFile&) = delete;
  NamedFile& operator=(const NamedFile&) = delete;
  ~NamedFile() {
    if (handle.is_open()) ::unlink(name.c_str());
  }

  std::string name;
  FileHandle handle;
};

// Random bytes: a device that packs or recognises what it holds gains nothing by them.
Status fill(const NamedFile& file) {
  std::mt19937_64 random(0x9e3779b97f4a7c15u);
  std::vector<std::uint64_t> block(kMiB / sizeof(std::uint64_t));
  for (std::size_t i = 0; i < kFileBlocks; ++i) {
    for (std::uint64_t& word : block) word = random();
    const ssize_t count = ::write(file.handle.descriptor(), block.data(), kMiB);
    if (count != static_cast<ssize_t>(kMiB)) {
      return file_error(file.name, "cannot write a scratch file", count < 0 ? errno : ENOSPC);
    }
  }
  // What is still to be written would be neither read past the page cache nor dropped.
  if (::fsync(file.handle.descriptor()) != 0) {
    return file_error(file.name, "cannot write a scratch file", errno);
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
  const NamedFile file(scratch_dir);
  if (!file.handle.is_open()) {
    ceilings.reason = file_error(scratch_dir, "cannot make a scratch file", errno).message;
    return;
  }
  const Status filled = fill(file);
  if (filled.ok()) {
    measure_device({file.name}, ceilings);
  } else {
    ceilings.reason = filled.error().message;
  }
}

}  // namespace hdbench
