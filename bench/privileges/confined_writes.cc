#include "bench/privileges/confined_writes.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

#include "bench/base/layers.h"
#include "engine/base/file_handle.h"
#include "pmem/base/sysfs_text.h"
#include "pmem/machine/mount.h"

// Of the kernel's interface no more than is used: older headers lack parts of it.
namespace hdbench::bench {
namespace {

namespace fs = std::filesystem;

constexpr long kCreateRuleset = 444;
constexpr long kAddRule = 445;
constexpr long kRestrictSelf = 446;
constexpr long kVersionAsked = 1;  // a flag of the first
constexpr int kBelowPath = 1;      // the kind of rule
constexpr int kVersionMin = 3;     // knows of truncation

constexpr std::uint64_t kWriteFile = std::uint64_t{1} << 1;
constexpr std::uint64_t kTruncate = std::uint64_t{1} << 14;
// Removing and making of everything (bits 4 to 12), and moving between directories (13).
constexpr std::uint64_t kMakeAndRemove = 0x3ff0;
constexpr std::uint64_t kOfFiles = kWriteFile | kTruncate;
constexpr std::uint64_t kOfDirectories = kOfFiles | kMakeAndRemove;

struct Ruleset {
  std::uint64_t handled_files;
};

struct [[gnu::packed]] BelowRule {
  std::uint64_t allowed;
  std::int32_t parent;
};

// Nothing where there is no such file: then nothing can be written there.
Status allow_below(int rules, const fs::path& path) {
  const FileHandle place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!place.is_open()) return ok_status();
  std::error_code error;
  const bool is_directory = fs::is_directory(path, error);
  const BelowRule rule{is_directory ? kOfDirectories : kOfFiles, place.descriptor()};
  if (::syscall(kAddRule, rules, kBelowPath, &rule, 0) == 0) return ok_status();
  return file_error(path, "cannot be told to the kernel as a place to write", errno);
}

}  // namespace

Status confine_writes(const std::vector<fs::path>& directories) {
  if (::syscall(kCreateRuleset, nullptr, std::size_t{0}, kVersionAsked) < kVersionMin)
    return ok_status();
  const Ruleset set{kOfDirectories};
  const FileHandle rules(static_cast<int>(::syscall(kCreateRuleset, &set, sizeof(set), 0)));
  if (!rules.is_open()) return ok_status();  // there, but not in use
  std::vector<fs::path> places = directories;
  for (const Mount& mount : read_mounts({})) {
    if (mount.dax || mount.pmem) places.push_back(mount.directory);
  }
  for (const char* kind : {"dax", "ndctl"}) {
    for (const std::string& name : names_below("/dev", kind)) places.push_back("/dev/" + name);
  }
  for (const char* usual : {"/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/pts",
                            "/dev/shm", "/dev/hugepages"}) {
    places.emplace_back(usual);
  }
  std::error_code error;
  places.push_back(fs::temp_directory_path(error));
  for (const fs::path& place : places) {
    if (!place.empty()) HDB_TRY(allow_below(rules.descriptor(), place));
  }
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
      ::syscall(kRestrictSelf, rules.descriptor(), 0) == 0) {
    return ok_status();
  }
  return file_error("writing", "cannot be confined", errno);
}

std::vector<fs::path> places_of(const std::vector<fs::path>& written) {
  std::vector<fs::path> places;
  for (const fs::path& path : written) {
    std::error_code error;
    for (fs::path place : {fs::absolute(path, error), fs::weakly_canonical(path, error)}) {
      const bool is_device = fs::is_character_file(place, error) || fs::is_block_file(place, error);
      while (!is_device && !fs::is_directory(place, error) && place.has_relative_path()) {
        place = place.parent_path();
      }
      places.push_back(place);
    }
  }
  return places;
}

}  // namespace hdbench::bench
