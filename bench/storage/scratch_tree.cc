#include "bench/storage/scratch_tree.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "engine/base/new_file.h"

namespace hdbench::bench {

Result<ScratchTrees> ScratchTrees::make(const std::vector<std::filesystem::path>& targets) {
  ScratchTrees trees;
  // First of all: between a directory and its place here nothing may fail.
  trees.paths_.reserve(targets.size());
  trees.directories_.reserve(targets.size());
  for (const auto& target : targets) {
    HDB_ASSIGN(std::filesystem::path name,
               make_new_directory(std::filesystem::absolute(target), "hdbench-io-"));
    FileHandle directory(::open(name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!directory.is_open()) {
      const int error = errno;
      ::rmdir(name.c_str());
      return file_error(name, "cannot be opened", error);
    }
    trees.paths_.push_back(std::move(name));
    trees.directories_.push_back(std::move(directory));
  }
  HDB_ASSIGN(std::unique_ptr<Guard> guard, Guard::start());
  for (const UndoAction& action : trees.undo_actions()) HDB_TRY(guard->add(action));
  trees.guard_ = std::move(guard);
  return trees;
}

// The guard undoes it; without one an error came before, or this was moved from and has none.
ScratchTrees::~ScratchTrees() {
  if (guard_ == nullptr) undo_all(undo_actions());
}

std::vector<UndoAction> ScratchTrees::undo_actions() const {
  std::vector<UndoAction> actions;
  for (std::size_t k = 0; k < directories_.size(); ++k) {
    actions.push_back({Undo::kRemoveTree, paths_[k].string(),
                       fmt::format("/proc/self/fd/{}", directories_[k].descriptor())});
  }
  return actions;
}

}  // namespace hdbench::bench
