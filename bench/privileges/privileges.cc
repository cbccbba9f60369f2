#include "bench/privileges/privileges.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

#include "bench/base/layers.h"
#include "engine/base/file_handle.h"
#include "pmem/base/capabilities.h"
#include "pmem/base/sysfs_text.h"
#include "pmem/machine/mount.h"

namespace hdbench::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kDepthMax = 3;  // partition, table, column
constexpr std::size_t kEntriesMax = 512;
constexpr std::size_t kSegmentsLookedAt = 256;
constexpr std::size_t kListBytesMax = std::size_t{64} << 10;  // of par.txt

std::uint64_t kept_for_set_up = 0;

bool is_forbidden(const fs::path& path, int mode) {
  return ::faccessat(AT_FDCWD, path.c_str(), mode, AT_EACCESS) != 0 && errno == EACCES;
}

bool is_folder(const struct stat& status) { return S_ISDIR(status.st_mode); }

bool is_partition_like(const fs::path& entry) {
  const std::string name = entry.filename().string();
  return !name.empty() && name.front() >= '0' && name.front() <= '9';
}

// Of a directory's entries: of those that look like partitions the first and the last.
std::vector<fs::path> files_beneath(const fs::path& directory) {
  std::vector<fs::path> entries, partitions;
  std::error_code error;
  fs::directory_iterator entry(directory, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (is_partition_like(entry->path())) {
      partitions.push_back(entry->path());
    } else if (entries.size() < kEntriesMax) {
      entries.push_back(entry->path());
    }
  }
  const auto [first, last] = std::minmax_element(partitions.begin(), partitions.end());
  if (first != partitions.end()) entries.push_back(*first);
  if (last != partitions.end() && last != first) entries.push_back(*last);
  return entries;
}

// Calls look(path, status) for what is read of a file or directory, until it gives true.
template <typename Look>
bool any_of_samples(const fs::path& path, int depth, const Look& look) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return errno == EACCES && look(path, status);
  if (look(path, status)) return true;
  if (!is_folder(status) || depth >= kDepthMax) return false;
  const std::vector<fs::path> samples = files_beneath(path);
  return std::any_of(samples.begin(), samples.end(), [&](const fs::path& sample) {
    return any_of_samples(sample, depth + 1, look);
  });
}

// The directory, and the segments that its par.txt names.
std::vector<fs::path> parts_of_database(const fs::path& path) {
  std::vector<fs::path> parts{path};
  std::error_code error;
  const fs::path list = path / "par.txt";
  if (!fs::is_regular_file(list, error)) return parts;
  std::string text(kListBytesMax, '\0');
  std::ifstream file(list);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  std::istringstream lines(text);
  for (std::string line; parts.size() < kSegmentsLookedAt && std::getline(lines, line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (!line.empty()) parts.push_back(path / line);
  }
  return parts;
}

fs::path nearest_directory(fs::path path) {
  std::error_code error;
  while (!path.empty() && !fs::is_directory(path, error) && path != path.root_path()) {
    path = path.parent_path();
  }
  return path.empty() ? fs::path(".") : path;
}

std::uint64_t needed_for_reading(const fs::path& path, bool proves_caches) {
  std::uint64_t needed = 0;
  for (const fs::path& part : parts_of_database(path)) {
    const auto unreadable = [](const fs::path& one, const struct stat& status) {
      return is_forbidden(one, is_folder(status) ? R_OK | X_OK : R_OK);
    };
    const auto others = [](const fs::path& one, const struct stat& status) {
      return S_ISREG(status.st_mode) && status.st_uid != ::geteuid() && is_forbidden(one, W_OK);
    };
    const bool is_unreadable = any_of_samples(part, 0, unreadable);
    if (is_unreadable) needed |= capability_bit(CAP_DAC_READ_SEARCH);
    // Whose files lie in what cannot be read is not seen from here.
    if (proves_caches && (is_unreadable || any_of_samples(part, 0, others))) {
      needed |= capability_bit(CAP_FOWNER);
    }
  }
  return needed;
}

std::uint64_t needed_for_writing(const fs::path& path) {
  struct stat target{};
  const bool exists = ::stat(path.c_str(), &target) == 0;
  bool is_refused = !exists && errno == EACCES;
  std::error_code error;
  const fs::path whole = exists ? fs::canonical(path, error) : fs::absolute(path, error);
  const fs::path parent = nearest_directory(whole.parent_path());
  const bool is_directory = exists && is_folder(target);
  if (exists) is_refused = is_forbidden(path, is_directory ? W_OK | X_OK : R_OK | W_OK);
  if (!is_directory) is_refused = is_refused || is_forbidden(parent, W_OK | X_OK);
  const std::uint64_t needed = is_refused ? capability_bit(CAP_DAC_OVERRIDE) : 0;
  struct stat shared{};
  const bool is_others = exists && !is_folder(target) && target.st_uid != ::geteuid() &&
                         ::stat(parent.c_str(), &shared) == 0 && (shared.st_mode & S_ISVTX) != 0 &&
                         shared.st_uid != ::geteuid();
  return is_others ? needed | capability_bit(CAP_FOWNER) : needed;
}

// Of Landlock's interface no more than is used: older headers lack parts of it.
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
  return file_error(path, "cannot be given to the kernel as a place to write", errno);
}

}  // namespace

std::uint64_t needed_capabilities(const PrivilegeNeeds& needs) {
  const CapabilitySets before = read_capabilities();
  if (before.permitted == 0) return 0;
  std::uint64_t needed = 0;
  if (!set_effective(0).ok()) return needed;
  for (const fs::path& path : needs.reads) {
    needed |= needed_for_reading(path, needs.proves_caches);
  }
  for (const fs::path& path : needs.writes) needed |= needed_for_writing(path);
  (void)set_effective(before.effective).ok();
  return needed;
}

Status give_up_privileges(const PrivilegeNeeds& needs) {
  if (read_capabilities().permitted == 0) return ok_status();
  const std::uint64_t needed = needed_capabilities(needs);
  kept_for_set_up = needs.for_set_up & ~needed;
  return keep_capabilities(needed | needs.for_set_up);
}

Status give_up_set_up() {
  const std::uint64_t permitted = read_capabilities().permitted;
  if ((permitted & kept_for_set_up) == 0) return ok_status();
  return keep_capabilities(permitted & ~kept_for_set_up);
}

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
