// The measured directories: filesystem and device, as the kernel shows them, and a temporary
// directory in each.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "bench/base/guard.h"
#include "bench/storage/io_run.h"
#include "engine/base/file_handle.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// `scratch` is a directory of ours below the target: what the target grants is tried there. Errors:
// kData, naming it: no file can be written there.
Result<IoTarget> look_at_target(const std::filesystem::path& target,
                                const std::filesystem::path& scratch);

// Bytes that were written to a block device since the machine started, by all; nothing where sysfs
// does not tell.
std::optional<std::uint64_t> bytes_written_to(const std::string& device,
                                              const std::filesystem::path& sysfs = "/sys");

// A temporary directory below each target, removed with its content on destruction, or if this
// process is killed (bench/base/guard.h). Follows the directory if it was moved, and removes
// nothing that has taken its name.
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
  std::vector<UndoAction> undo_actions() const;

  std::vector<std::filesystem::path> paths_;
  std::vector<FileHandle> directories_;  // the same ones, whatever they are called
  std::unique_ptr<Guard> guard_;
};

}  // namespace hdbench::bench
