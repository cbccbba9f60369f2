#include "bench/base/version.h"

// Written by write_commit.cmake at every build in which the commit has changed.
#include "hdbench_commit.h"

namespace hdbench::bench {

std::string_view version() { return HDBENCH_VERSION; }

std::string_view commit() { return HDBENCH_COMMIT; }

std::string_view build_type() {
#ifdef NDEBUG
  return "release";
#else
  return "debug";
#endif
}

}  // namespace hdbench::bench
