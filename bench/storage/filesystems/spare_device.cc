#include "bench/storage/filesystems/spare_device.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <vector>

#include "bench/base/child_process.h"
#include "engine/base/file_handle.h"
#include "engine/base/printable_text.h"

namespace hdbench {
namespace {

constexpr std::size_t kHeadBytes = std::size_t{1} << 20;

// The first signature that wipefs finds, such as "xfs" or "gpt"; "data" where the first or the last
// mebibyte is not zero; else nothing. Requires: the device has both.
Result<std::string> contents(const FileHandle& device, std::uint64_t end, const std::string& path) {
  HDB_ASSIGN(const std::string found,
             run_command({"wipefs", "--noheadings", "--output", "TYPE", path}));
  if (!found.empty()) return found.substr(0, found.find_first_of(" \n"));
  for (const std::uint64_t at : {std::uint64_t{0}, end - kHeadBytes}) {
    std::vector<std::byte> bytes(kHeadBytes);
    HDB_TRY(read_fully(device, at, bytes, path));
    if (std::any_of(bytes.begin(), bytes.end(), [](std::byte b) { return b != std::byte{0}; }))
      return std::string("data");
  }
  return std::string();
}

bool asked_and_agreed(const std::string& path) {
  std::fprintf(stderr, "hdbench: everything on %s will be overwritten. Go on? [y/N] ",
               printable_line(path).c_str());
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "yes";
}

}  // namespace

Status allow_device(const std::string& path, bool yes) {
  const auto refused = [&](const std::string& why) {
    return usage_error(fmt::format("--device: {} {}", path, why));
  };
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) {
    return usage_error(fmt::format("--device: {}: {}", path, std::strerror(errno)));
  }
  if (!S_ISBLK(status.st_mode)) return refused("is no block device");
  const FileHandle device(open(path.c_str(), O_RDONLY | O_EXCL | O_CLOEXEC));
  if (!device.is_open() && errno == EBUSY) return refused("is in use: never overwritten");
  if (!device.is_open()) return file_error(path, "cannot be opened", errno);
  const off_t end = lseek(device.descriptor(), 0, SEEK_END);
  if (end < static_cast<off_t>(2 * kHeadBytes)) return refused("is too small for a filesystem");
  if (yes) return ok_status();
  HDB_ASSIGN(const std::string what, contents(device, static_cast<std::uint64_t>(end), path));
  if (!what.empty()) return refused("holds " + what + ": add --yes to overwrite it");
  if (isatty(STDIN_FILENO) == 0) return refused("would be overwritten: add --yes");
  return asked_and_agreed(path) ? ok_status() : Status(refused("is left alone"));
}

}  // namespace hdbench
