// The helpers that a command may need as root (privileged_helper.h), started before the command
// line is parsed: they know nothing of the user's but that a word stands in it.
#pragma once

#include <memory>

#include "bench/privileges/privileged_helper.h"
#include "engine/base/result.h"

namespace hdbench::bench {

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
