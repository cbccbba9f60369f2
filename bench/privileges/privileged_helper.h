// A process that keeps some of root's capabilities for one fixed task, while the program itself
// gives up its own (privileges.h).
//
// It is a copy of this program, forked before anything that it must not depend on is read. It takes
// requests over a socket, one at a time, answers each, and executes nothing that a request names:
// the task says what a request may be. It ends with the program, however that ends. Ctrl-C does not
// reach it; where the program is interrupted while it waits, SIGTERM sets interrupted() in it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "bench/base/child_process.h"
#include "engine/base/file_handle.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// A request's answer: a text, or an error, which the asker gets as it is.
using PrivilegedTask = std::function<Result<std::string>(std::string_view request)>;

class PrivilegedHelper {
 public:
  // name: of the process, at most 15 letters ("hdbench-caches"). capabilities: bits, of which it
  // keeps those that this process has. Errors: kData, what the system said.
  static Result<std::unique_ptr<PrivilegedHelper>> start(const std::string& name,
                                                         std::uint64_t capabilities,
                                                         const PrivilegedTask& task);
  PrivilegedHelper(const PrivilegedHelper&) = delete;
  PrivilegedHelper& operator=(const PrivilegedHelper&) = delete;
  // Ends it.
  ~PrivilegedHelper();

  // Waits for the answer, after an interruption, too: then the task is to end early. Longer
  // requests than kRequestMax are cut. Errors: the task's; kData: the helper is gone.
  Result<std::string> ask(std::string_view request);

  static constexpr std::size_t kRequestMax = std::size_t{16} << 20;

 private:
  PrivilegedHelper(std::string name, ChildProcess process, FileHandle socket)
      : name_(std::move(name)), process_(std::move(process)), socket_(std::move(socket)) {}

  Error gone() const;

  std::string name_;
  ChildProcess process_;
  FileHandle socket_;
};

// The helpers that a command may need as root, started before the command line is parsed: they know
// nothing of the user's but that a word is in it.
class RootHelpers {
 public:
  // None without capabilities. --drop-caches: "hdbench-caches", which drops the page cache. A query
  // with --cache, run and limit: "hdbench-holders", which tells the processes of all users that
  // have files mapped; it compares the names that it is given, and opens none. Errors: kData, what
  // the system said.
  static Result<RootHelpers> start(int argc, const char* const* argv);
  RootHelpers() = default;
  RootHelpers(RootHelpers&&) = default;
  RootHelpers& operator=(RootHelpers&&) = delete;
  ~RootHelpers();

 private:
  std::unique_ptr<PrivilegedHelper> caches_;
  std::unique_ptr<PrivilegedHelper> holders_;
};

}  // namespace hdbench::bench
