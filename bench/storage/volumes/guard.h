// Undoes what a command has changed on the machine, however the command ends: mounts, control
// groups, zram devices, files and directories.
//
// The guard is a process in a session of its own, forked first, so that Ctrl-C does not reach it.
// Each change is registered before it is made. When the command has ended, SIGKILL included, the
// guard undoes the changes in reverse order; what is already gone counts as undone. It watches the
// command's process itself, not a pipe that a child might keep open.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace hdbench {

enum class Undo {
  kUnmount,      // of a directory
  kRemove,       // a file or an empty directory
  kRemoveGroup,  // a control group; the processes still in it go to `to`
  kRemoveZram,   // by its number, "1"
};

struct UndoAction {
  Undo what = Undo::kRemove;
  std::string path;
  std::string to = {};  // kRemoveGroup: another group's directory
};

// The last action first. Gives a line for each that failed. A busy mount or group is tried again
// for some seconds; then a mount is detached, to go when its last user has.
std::vector<std::string> undo_all(const std::vector<UndoAction>& actions);

class Guard {
 public:
  // Requires: this process has one thread. Errors: kData, what the system said.
  static Result<std::unique_ptr<Guard>> start();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  // As finish(), but prints a failure to standard error.
  ~Guard();

  // Before the thing is done. Errors: kData where the guard has died: then nothing may be done.
  Status add(const UndoAction& action);

  // Undoes everything now and ends the guard. Errors: kData, what could not be undone. Where the
  // guard has died this process does it itself.
  Status finish();

 private:
  Guard(pid_t guard, int socket) : guard_(guard), socket_(socket) {}

  pid_t guard_;
  int socket_;
  std::vector<UndoAction> actions_;
};

}  // namespace hdbench
