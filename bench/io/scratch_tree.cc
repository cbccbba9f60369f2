#include "bench/io/scratch_tree.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

namespace hdbench {
namespace {

void remove_all(const std::vector<std::filesystem::path>& paths) {
  std::error_code ignored;
  for (const auto& path : paths) std::filesystem::remove_all(path, ignored);
}

// Waits until nobody holds the other end of the pipe: the parent and its processes are gone.
[[noreturn]] void be_guard(int reader, const std::vector<std::filesystem::path>& paths) {
  ::setsid();
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(number, SIG_IGN);
  char nobodys = 0;
  while (::read(reader, &nobodys, 1) < 0 && errno == EINTR) continue;
  remove_all(paths);
  _exit(0);
}

}  // namespace

Result<ScratchTrees> ScratchTrees::make(const std::vector<std::filesystem::path>& targets) {
  ScratchTrees trees;
  for (const auto& target : targets) {
    std::string name = (std::filesystem::absolute(target) / "hdbench-io-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      return file_error(target, "cannot make a directory in it", errno);
    }
    trees.paths_.emplace_back(name);
  }
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return file_error("pipe", "cannot make one", errno);
  const FileHandle reader(ends[0]);
  trees.alive_ = FileHandle(ends[1]);
  trees.guard_ = ::fork();
  if (trees.guard_ < 0) return file_error("fork", "cannot make a process", errno);
  if (trees.guard_ == 0) {
    trees.alive_ = FileHandle();
    be_guard(ends[0], trees.paths_);
  }
  return trees;
}

ScratchTrees::ScratchTrees(ScratchTrees&& other) noexcept
    : paths_(std::exchange(other.paths_, {})),
      alive_(std::move(other.alive_)),
      guard_(std::exchange(other.guard_, -1)) {}

ScratchTrees::~ScratchTrees() {
  remove_all(paths_);
  alive_ = FileHandle();
  if (guard_ > 0) {
    while (::waitpid(guard_, nullptr, 0) < 0 && errno == EINTR) continue;
  }
}

}  // namespace hdbench
