#include "bench/storage/filesystems/spare_device.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "bench/base/child_process.h"
#include "bench/base/interrupt.h"
#include "engine/base/file_handle.h"
#include "engine/base/text.h"
#include "engine/base/write_guard.h"

namespace hdbench::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDeviceHeadBytes = std::size_t{1} << 20;

// The first signature that wipefs finds, such as "xfs" or "gpt"; "data" where the first or the last
// mebibyte is not zero; else nothing. Requires: the device has both.
Result<std::string> contents(const FileHandle& device, std::uint64_t end, const std::string& path) {
  HDB_ASSIGN(const std::string found,
             run_command({"wipefs", "--noheadings", "--output", "TYPE", path}));
  if (!found.empty()) return found.substr(0, found.find_first_of(" \n"));
  for (const std::uint64_t at : {std::uint64_t{0}, end - kDeviceHeadBytes}) {
    std::vector<std::byte> bytes(kDeviceHeadBytes);
    HDB_TRY(read_fully(device, at, bytes, path));
    if (std::any_of(bytes.begin(), bytes.end(), [](std::byte b) { return b != std::byte{0}; }))
      return std::string("data");
  }
  return std::string();
}

Error device_refused(const std::string& path, const std::string& why) {
  return usage_error(fmt::format("--device: {} {}", path, why));
}

Error in_use(const std::string& path, const std::string& how) {
  return device_refused(path, fmt::format("is in use{}: never overwritten", how));
}

// Open for reading. Errors: kUsage: in use.
Result<FileHandle> open_unused(const std::string& path, const std::string& number,
                               const MachinePaths& machine) {
  if (const auto use = device_use(number, machine)) return in_use(path, " (" + *use + ")");
  FileHandle device(open(path.c_str(), O_RDONLY | O_EXCL | O_CLOEXEC));
  if (!device.is_open() && errno == EBUSY) return in_use(path, "");
  if (!device.is_open()) return file_error(path, "cannot be opened", errno);
  for (const fs::path& file : loop_files(number, machine)) {
    HDB_TRY(check_outside_databases("--device", file));
    struct stat status{};
    if (stat(file.c_str(), &status) != 0 || !S_ISBLK(status.st_mode)) continue;
    const FileHandle below(open(file.c_str(), O_RDONLY | O_EXCL | O_CLOEXEC));
    if (!below.is_open()) return in_use(path, fmt::format(" ({}, below it, is)", file.string()));
  }
  return device;
}

}  // namespace

Result<bool> is_agreed(const std::string& question, int descriptor) {
  constexpr int kAnswerPollMs = 50;
  constexpr std::size_t kAnswerMax = 64;
  std::fprintf(stderr, "%s [y/N] ", printable(question).c_str());
  std::string answer;
  while (answer.size() < kAnswerMax && !answer.ends_with('\n')) {
    if (interrupted().load()) {
      std::fputc('\n', stderr);
      return usage_error("interrupted");
    }
    pollfd waited{descriptor, POLLIN, 0};
    if (::poll(&waited, 1, kAnswerPollMs) <= 0) continue;
    char letter = 0;
    const ssize_t got = ::read(descriptor, &letter, 1);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) break;
    answer += letter;
  }
  answer.erase(answer.find_last_not_of(" \t\r\n") + 1);
  return answer == "y" || answer == "yes";
}

Result<std::string> allow_device(const std::string& path, bool yes, const MachinePaths& machine) {
  std::error_code failed;
  const std::string own = fs::canonical(path, failed).string();
  struct stat status{};
  if (failed || stat(own.c_str(), &status) != 0) {
    return usage_error(
        fmt::format("--device: {}: {}", path, failed ? failed.message() : std::strerror(errno)));
  }
  if (!S_ISBLK(status.st_mode)) return device_refused(path, "is no block device");
  const std::string number = fmt::format("{}:{}", major(status.st_rdev), minor(status.st_rdev));
  const auto open_again = [&] { return open_unused(path, number, machine); };
  HDB_ASSIGN(FileHandle device, open_again());
  const off_t end = lseek(device.descriptor(), 0, SEEK_END);
  if (end < static_cast<off_t>(2 * kDeviceHeadBytes)) {
    return device_refused(path, "is too small for a filesystem");
  }
  if (yes) return own;
  HDB_ASSIGN(const std::string what, contents(device, static_cast<std::uint64_t>(end), own));
  if (!what.empty()) return device_refused(path, "holds " + what + ": add --yes to overwrite it");
  if (isatty(STDIN_FILENO) == 0) return device_refused(path, "would be overwritten: add --yes");
  device = FileHandle();
  HDB_ASSIGN(const bool agreed,
             is_agreed(fmt::format("hdbench: everything on {} will be overwritten. Go on?", path),
                       STDIN_FILENO));
  if (!agreed) return device_refused(path, "is left alone");
  HDB_TRY(open_again());  // the answer may have taken long
  return own;
}

}  // namespace hdbench::bench
