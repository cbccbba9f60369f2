// A temporary directory below each target, removed with its content on destruction, or by a helper
// process if this one is killed. Follows the directory if it was moved, and removes nothing that
// has taken its name.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <vector>

#include "engine/base/file_handle.h"
#include "engine/base/result.h"

namespace hdbench {

class ScratchTrees {
 public:
  // "hdbench-io-" and random digits below each target. Errors: kData, naming the target: it is
  // missing, no directory, or not writable.
  static Result<ScratchTrees> make(const std::vector<std::filesystem::path>& targets);
  ScratchTrees(ScratchTrees&&) = default;
  ScratchTrees& operator=(ScratchTrees&&) = delete;
  ~ScratchTrees();

  // In the targets' order.
  const std::vector<std::filesystem::path>& paths() const { return paths_; }

 private:
  ScratchTrees() = default;

  std::vector<std::filesystem::path> paths_;
  std::vector<FileHandle> directories_;  // the same ones, whatever they are called
  FileHandle alive_;                     // closed when this process is gone
  pid_t guard_ = -1;
};

}  // namespace hdbench
