// Checks for our own bugs: they print where and abort. Errors of the world are Results (result.h).
#pragma once

#include <cstdio>
#include <cstdlib>

namespace hdbench {

[[noreturn]] inline void check_failed(const char* file, int line, const char* what) {
  std::fprintf(stderr, "%s:%d: bug in hdbench: %s\n", file, line, what);
  std::abort();
}

}  // namespace hdbench

// Always on: at the edges of a module.
#define HDB_CHECK(condition, what) \
  ((condition) ? static_cast<void>(0) : ::hdbench::check_failed(__FILE__, __LINE__, what))

// Debug builds only: inside loops.
#ifdef NDEBUG
#define HDB_DCHECK(condition, what) static_cast<void>(0)
#else
#define HDB_DCHECK(condition, what) HDB_CHECK(condition, what)
#endif
