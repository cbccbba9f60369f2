#include "pmem/base/free_room.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <fstream>
#include <mutex>
#include <system_error>

#include "engine/base/file_handle.h"
#include "pmem/base/cgroup_limits.h"

namespace hdbench::pmem {
namespace {

std::atomic<std::uint64_t> claimed{0};

// Of this process, in bytes.
struct OwnMemory {
  std::uint64_t mapped = 0;
  std::uint64_t data = 0;
  std::uint64_t anonymous = 0;  // resident, of no file
};

OwnMemory own_memory(const std::filesystem::path& procfs) {
  // Pages: mapped, resident, of those shared with files, text, a zero, data and stack.
  std::ifstream statm(procfs / "self/statm");
  std::uint64_t mapped = 0, resident = 0, shared = 0, text = 0, zero = 0, data = 0;
  if (!(statm >> mapped >> resident >> shared >> text >> zero >> data)) return {};
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return {mapped * page, data * page, (resident - std::min(resident, shared)) * page};
}

std::optional<std::uint64_t> left_of(int limit_kind, std::uint64_t used) {
  rlimit limit{};
  if (::getrlimit(limit_kind, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, used);
}

}  // namespace

std::optional<std::uint64_t> memory_figure(const std::string& key,
                                           const std::filesystem::path& procfs) {
  std::ifstream meminfo(procfs / "meminfo");
  std::string word;
  std::uint64_t kibibytes = 0;
  std::string rest_of_line;
  while (meminfo >> word >> kibibytes) {
    if (word == key + ":") return kibibytes * 1024;
    std::getline(meminfo, rest_of_line);
  }
  return std::nullopt;
}

Status require_room_on_disk(const std::filesystem::path& directory, std::size_t bytes) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(directory, ignored)) {
    return data_error(fmt::format("{}: not a directory", directory.string()));
  }
  struct statvfs figures = {};
  if (::statvfs(directory.c_str(), &figures) != 0) {
    return file_error(directory, "cannot ask for free space", errno);
  }
  const std::uint64_t free_bytes = std::uint64_t{figures.f_bavail} * figures.f_frsize;
  if (bytes > free_bytes) {
    return data_error(
        fmt::format("{}: {} bytes wanted, {} free", directory.string(), bytes, free_bytes));
  }
  return ok_status();
}

std::optional<std::uint64_t> available_memory(const MachinePaths& paths) {
  const auto machine = memory_figure("MemAvailable", paths.procfs);
  const auto group = read_cgroup_limits(paths).available_bytes;
  if (!machine || !group) return machine ? machine : group;
  return std::min(*machine, *group);
}

std::optional<MemoryLeft> memory_left(const MachinePaths& paths) {
  const auto machine = memory_figure("MemAvailable", paths.procfs);
  const CgroupLimits limits = read_cgroup_limits(paths);
  const OwnMemory own = own_memory(paths.procfs);
  std::optional<MemoryLeft> left;
  const auto take = [&](std::optional<std::uint64_t> bytes, const std::string& why) {
    if (bytes && (!left || *bytes < left->bytes)) left = MemoryLeft{*bytes, why};
  };
  take(machine, "what the machine leaves");
  const std::uint64_t group_mib = limits.memory_bytes.value_or(0) >> 20;
  take(limits.available_bytes, fmt::format("what the control group ({} MiB) leaves", group_mib));
  take(left_of(RLIMIT_AS, own.mapped), "what RLIMIT_AS leaves");
  take(left_of(RLIMIT_DATA, own.data), "what RLIMIT_DATA leaves");
  if (!left) return left;
  const std::uint64_t others = own.anonymous - std::min(own.anonymous, claimed.load());
  static const std::uint64_t others_first = others;
  const std::uint64_t touched = own.anonymous - std::min(own.anonymous, others_first);
  const std::uint64_t untouched = claimed.load() - std::min(claimed.load(), touched);
  constexpr std::uint64_t kReserveMax = std::uint64_t{16} << 20;
  const std::uint64_t kept = untouched + std::min(left->bytes / 8, kReserveMax);
  left->bytes -= std::min(left->bytes, kept);
  return left;
}

Status require_memory(const std::string& what, std::size_t bytes, const MachinePaths& paths) {
  const auto left = memory_left(paths);
  if (!left || bytes <= left->bytes) return ok_status();
  return Error{ErrorKind::kLimit, fmt::format("{}: {} bytes of memory wanted, {} left: {}", what,
                                              bytes, left->bytes, left->why)};
}

Result<MemoryClaim> MemoryClaim::make(const std::string& what, std::size_t bytes) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  HDB_TRY(require_memory(what, bytes));
  claimed += bytes;
  return MemoryClaim(bytes);
}

MemoryClaim::~MemoryClaim() { claimed -= bytes_; }

}  // namespace hdbench::pmem
