// Undoes what a command has changed on the machine, however the command ends: mounts, control
// groups, files and directories, settings of the kernel. The only one that does so: a new kind of
// change is an Undo.
//
// The guard is a process in a session of its own, forked first, so that Ctrl-C does not reach it.
// Each change is registered before it is made. When the command has ended before it undid them,
// SIGKILL included, the guard undoes the changes in reverse order; what is already gone counts as
// undone. It watches the command's process itself, not a pipe that a child might keep open.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/base/child_process.h"
#include "engine/base/file_handle.h"
#include "engine/base/result.h"

namespace hdbench::bench {

enum class Undo {
  kUnmount,      // of a directory of this command's own, made for it
  kRemove,       // a file or an empty directory
  kRemoveTree,   // a directory and all in it, wherever it was moved; not what has taken its name
  kRemoveGroup,  // a control group; the processes still in it go to `to`
  kWrite,        // a file of the kernel's gets the value `to`
};

struct UndoAction {
  Undo what = Undo::kRemove;
  std::string path;
  // kRemoveGroup: another group's directory. kWrite: the value. kRemoveTree: "/proc/self/fd/N" of
  // the directory, open since before the guard started.
  std::string to = {};
};

// A file of the kernel's takes a value in one write, and says at once what is wrong with it.
// Errors: kData, naming the file.
Status write_setting(const std::filesystem::path& file, const std::string& value);

// The last action first. Gives a line for each that failed. A busy mount or group is tried again
// while patience lasts; then a mount is detached, to go when its last user has, and that is
// reported as a failure. A mount counts as gone when the kernel's table of mounts has it no more.
std::vector<std::string> undo_all(const std::vector<UndoAction>& actions,
                                  std::chrono::milliseconds patience = std::chrono::seconds(8));

class Guard {
 public:
  // Other threads may run: the guard uses no lock of theirs. Errors: kData, what the system said.
  static Result<std::unique_ptr<Guard>> start();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  // As finish(), but prints a failure to standard error.
  ~Guard();

  // Before the thing is done. Errors: kData where the guard has died: then nothing may be done.
  Status add(const UndoAction& action);

  // Everything is undone now, by this process, or by the guard where this one has given up what
  // unmounting takes; and the guard ends. Errors: kData, what could not be undone.
  Status finish();

 private:
  Guard(ChildProcess guard, FileHandle socket)
      : guard_(std::move(guard)), socket_(std::move(socket)) {}

  // What is left, empty: nothing. No value: the guard has died.
  std::optional<std::string> undone_by_guard();

  ChildProcess guard_;
  FileHandle socket_;
  std::vector<UndoAction> actions_;
};

}  // namespace hdbench::bench
