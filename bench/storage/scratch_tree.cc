#include "bench/storage/scratch_tree.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include "engine/base/new_file.h"

namespace hdbench {
namespace {

// Its name now; empty where it has none.
std::filesystem::path name_of(const FileHandle& directory) {
  std::error_code failed;
  const auto name = std::filesystem::read_symlink(
      fmt::format("/proc/self/fd/{}", directory.descriptor()), failed);
  struct stat held{};
  struct stat named{};
  if (failed || ::fstat(directory.descriptor(), &held) != 0) return {};
  if (::lstat(name.c_str(), &named) != 0) return {};
  return held.st_dev == named.st_dev && held.st_ino == named.st_ino ? name
                                                                    : std::filesystem::path();
}

void remove_all(const std::vector<FileHandle>& directories) {
  std::error_code ignored;
  for (const FileHandle& directory : directories) {
    const auto name = name_of(directory);
    if (!name.empty()) std::filesystem::remove_all(name, ignored);
  }
}

// Waits until nobody holds the other end of the pipe: the parent and its processes are gone.
[[noreturn]] void be_guard(int reader, const std::vector<FileHandle>& directories) {
  ::setsid();
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(number, SIG_IGN);
  char ignored = 0;
  while (::read(reader, &ignored, 1) < 0 && errno == EINTR) continue;
  remove_all(directories);
  _exit(0);
}

}  // namespace

Result<ScratchTrees> ScratchTrees::make(const std::vector<std::filesystem::path>& targets) {
  ScratchTrees trees;
  for (const auto& target : targets) {
    HDB_ASSIGN(const std::filesystem::path name,
               make_new_directory(std::filesystem::absolute(target), "hdbench-io-"));
    trees.paths_.push_back(name);
    trees.directories_.emplace_back(
        ::open(name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!trees.directories_.back().is_open()) {
      const int error = errno;
      ::rmdir(name.c_str());
      return file_error(name, "cannot be opened", error);
    }
  }
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return file_error("pipe", "cannot make one", errno);
  const FileHandle reader(ends[0]);
  trees.alive_ = FileHandle(ends[1]);
  trees.guard_ = ::fork();
  if (trees.guard_ < 0) return file_error("fork", "cannot make a process", errno);
  if (trees.guard_ == 0) {
    trees.alive_ = FileHandle();
    be_guard(ends[0], trees.directories_);
  }
  return trees;
}

ScratchTrees::ScratchTrees(ScratchTrees&& other) noexcept
    : paths_(std::exchange(other.paths_, {})),
      directories_(std::exchange(other.directories_, {})),
      alive_(std::move(other.alive_)),
      guard_(std::exchange(other.guard_, -1)) {}

ScratchTrees::~ScratchTrees() {
  remove_all(directories_);
  directories_.clear();
  alive_ = FileHandle();
  if (guard_ > 0) {
    while (::waitpid(guard_, nullptr, 0) < 0 && errno == EINTR) continue;
  }
}

}  // namespace hdbench
