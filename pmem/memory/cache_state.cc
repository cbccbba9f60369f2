#include "pmem/memory/cache_state.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>
#include <thread>

#include "engine/base/file_handle.h"
#include "pmem/base/capabilities.h"
#include "pmem/base/mapped_memory.h"
#include "pmem/base/sysfs_text.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22  // Linux 5.14; older C libraries do not name it
#endif

namespace hdbench::pmem {
namespace {

constexpr std::size_t kNamedMax = 4;

bool is_number(const std::string& name) {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
}

// A line of maps ends with the file's path, from its sixth word on.
bool maps_one_of(const std::filesystem::path& maps, const std::set<std::string>& files) {
  std::ifstream lines(maps);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t path = line.find('/');
    if (path != std::string::npos && files.count(line.substr(path)) != 0) return true;
  }
  return false;
}

constexpr int kEvictionAttempts = 5;

// A proof tolerates a thousandth: a reader outside this program, or reclaim, may move a page at any
// time.
bool within_tolerance(std::uint64_t wrong_bytes, std::uint64_t total_bytes) {
  return wrong_bytes <= total_bytes / 1000;
}

void evict(const TrackedMapping& held) {
  FileHandle opened;
  int descriptor = held.descriptor;
  if (descriptor < 0 && !held.path.empty()) {
    opened = open_read_only(held.path);
    descriptor = opened.descriptor();
  }
  // Dirty and mapped pages cannot be evicted: write back, unmap, then evict. Failures show in the
  // proof.
  if (descriptor >= 0) ::fdatasync(descriptor);
  const std::span<std::byte> pages = whole_pages(held.bytes);
  ::madvise(pages.data(), pages.size(), MADV_DONTNEED);
  if (descriptor >= 0) ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
}

// For other people's files that one may not write, mincore claims that everything is resident
// (Linux 5.2 and later).
bool mincore_is_blind(const TrackedMapping& held) {
  struct stat status = {};
  if (held.path.empty() || ::stat(held.path.c_str(), &status) != 0) return false;
  return status.st_uid != ::geteuid() && !has_capability(CAP_FOWNER) &&
         ::faccessat(AT_FDCWD, held.path.c_str(), W_OK, AT_EACCESS) != 0;
}

// The processes that map a file of what is held.
std::vector<std::string> holders_of(const Held& held) {
  std::vector<std::string> names;
  for (const auto& one : held) {
    if (one->path.empty()) continue;
    std::error_code error;
    const auto whole = std::filesystem::canonical(one->path, error);
    if (!error) names.push_back(whole.string());
  }
  const auto& finder = privileged_tasks().find_holders;
  return finder ? finder(names) : processes_that_map(names, ::getpid());
}

std::string why_resident(const Held& held, bool drop_all) {
  if (std::any_of(held.begin(), held.end(),
                  [](const auto& one) { return mincore_is_blind(*one); })) {
    return "the kernel tells residency only to a file's owner or writer; run as one";
  }
  const std::vector<std::string> holders = holders_of(held);
  if (holders.empty()) return "another process may have them mapped, or they are in memory only";
  return fmt::format(
      "{} {} them mapped: end {}{}", fmt::join(holders, ", "), holders.size() == 1 ? "has" : "have",
      holders.size() == 1 ? "it" : "them",
      drop_all ? "" : ", or add --drop-caches (drops the whole machine's page cache)");
}

Error still_resident(const Held& held, const CacheProof& proof, bool drop_all) {
  const std::string cause = why_resident(held, drop_all);
  return data_error(fmt::format("cold: {} of {} bytes stay resident, expected at most 0.1 %: {}",
                                proof.bytes_resident, proof.bytes_total, cause));
}

void touch_each(std::span<std::byte> pages) {
  const volatile std::byte* page = pages.data();
  for (std::size_t at = 0; at < pages.size(); at += page_bytes()) static_cast<void>(page[at]);
}

Status populate(std::span<const std::byte> bytes) {
  const std::span<std::byte> pages = whole_pages(bytes);
  int failed = 0;
  do {
    failed = ::madvise(pages.data(), pages.size(), MADV_POPULATE_READ) == 0 ? 0 : errno;
  } while (failed == EINTR || failed == EAGAIN);
  if (failed == EINVAL) {  // a kernel before 5.14
    touch_each(pages);
    failed = 0;
  }
  if (failed == 0) return ok_status();
  return data_error(fmt::format("warm: cannot bring {} bytes into memory: {}", bytes.size(),
                                std::generic_category().message(failed)));
}

}  // namespace

PrivilegedTasks& privileged_tasks() {
  static PrivilegedTasks tasks;
  return tasks;
}

std::vector<std::string> processes_that_map(const std::vector<std::string>& names, int self,
                                            const MachinePaths& paths) {
  const std::set<std::string> wanted(names.begin(), names.end());
  std::vector<std::string> holders;
  std::size_t more = 0;
  const std::string own = std::to_string(self);
  std::error_code error;
  std::filesystem::directory_iterator entry(paths.procfs, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string process = entry->path().filename().string();
    if (!is_number(process) || process == own) continue;
    if (!maps_one_of(entry->path() / "maps", wanted)) continue;
    if (holders.size() == kNamedMax) {
      ++more;
      continue;
    }
    holders.push_back(fmt::format("{} (process {})", first_line(entry->path() / "comm"), process));
  }
  if (more > 0) holders.push_back(fmt::format("and {} more", more));
  return holders;
}

void drop_page_cache() {
  const FileHandle file(::open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC));
  if (file.is_open() && ::write(file.descriptor(), "1", 1) != 1) return;
}

std::uint64_t resident_bytes(std::span<const std::byte> bytes) {
  if (bytes.empty()) return 0;
  const std::span<std::byte> pages = whole_pages(bytes);
  constexpr std::size_t kWindowPages = 65536;
  std::vector<unsigned char> states(std::min(pages.size() / page_bytes(), kWindowPages));
  std::uint64_t resident = 0;
  for (std::size_t at = 0; at < pages.size(); at += kWindowPages * page_bytes()) {
    const std::size_t window_bytes = std::min(pages.size() - at, kWindowPages * page_bytes());
    const std::size_t window_pages = window_bytes / page_bytes();
    if (::mincore(pages.data() + at, window_bytes, states.data()) != 0) continue;
    for (std::size_t i = 0; i < window_pages; ++i) resident += (states[i] & 1U) * page_bytes();
  }
  return std::min<std::uint64_t>(resident, bytes.size());
}

CacheProof count_resident(const Held& held) {
  CacheProof proof;
  for (const auto& one : held) {
    proof.bytes_total += one->bytes.size();
    proof.bytes_resident += resident_bytes(one->bytes);
  }
  return proof;
}

void let_pages_go(const Held& held) {
  for (const auto& one : held) evict(*one);
}

Result<CacheProof> make_cold(const Held& held, bool drop_all) {
  CacheProof proof;
  for (int attempt = 0; attempt <= kEvictionAttempts; ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10 * attempt));
    if (drop_all && attempt == kEvictionAttempts) {
      const auto& task = privileged_tasks().drop_page_cache;
      task ? task() : drop_page_cache();
    }
    for (const auto& one : held) {
      if (resident_bytes(one->bytes) > 0) evict(*one);
    }
    proof = count_resident(held);
    const bool good_enough = within_tolerance(proof.bytes_resident, proof.bytes_total);
    if (proof.bytes_resident == 0 || (attempt > 0 && good_enough)) return proof;
  }
  return still_resident(held, proof, drop_all);
}

Result<CacheProof> make_warm(const Held& held) {
  for (const auto& one : held) {
    if (!one->bytes.empty()) HDB_TRY(populate(one->bytes));
  }
  const CacheProof proof = count_resident(held);
  if (!within_tolerance(proof.bytes_total - proof.bytes_resident, proof.bytes_total)) {
    return data_error(fmt::format(
        "warm: {} of {} bytes are resident, expected 99.9 %: there is too little memory for them",
        proof.bytes_resident, proof.bytes_total));
  }
  // Page tables alone do not make a file's pages warm: under a hypervisor one that the device
  // filled may lack the host's own mapping, which the first load of it then waits for, unseen by
  // this kernel (no fault, no device byte).
  for (const auto& one : held) {
    const bool is_file = one->descriptor >= 0 || !one->path.empty();
    if (is_file && !one->bytes.empty()) touch_each(whole_pages(one->bytes));
  }
  return proof;
}

}  // namespace hdbench::pmem
