#include "bench/storage/scratch_tree.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <system_error>

#include "engine/base/new_file.h"

namespace hdbench {
namespace {

// By their names now: what was moved or replaced in the meantime is not theirs.
void remove_all(const std::vector<FileHandle>& directories) {
  for (const FileHandle& directory : directories) {
    const std::string held = fmt::format("/proc/self/fd/{}", directory.descriptor());
    std::error_code failed;
    const auto name = std::filesystem::read_symlink(held, failed);
    if (!failed && identity_of(name) == identity_of(held)) {
      std::filesystem::remove_all(name, failed);
    }
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

ScratchTrees::~ScratchTrees() {
  remove_all(directories_);
  directories_.clear();
  if (!alive_.is_open() || guard_ < 0) return;  // moved from, or no guard was made
  alive_ = FileHandle();
  while (::waitpid(guard_, nullptr, 0) < 0 && errno == EINTR) continue;
}

}  // namespace hdbench
