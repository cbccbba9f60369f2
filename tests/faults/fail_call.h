// Which calls of a program under test fail (fail_call.cc); shared by the sources that take the
// places of the C library's functions.
#pragma once

#include <cstdint>

namespace hdbench::faults {

enum class Kind {
  kAllocation,
  kMmap,
  kOpen,
  kStat,
  kRead,
  kWrite,
  kFsync,
  kName,  // names are made or moved: rename, link, mkdir
  kSize,  // a file's size is set: ftruncate, fallocate
  kMount,
  kProcess,  // processes and threads
};
constexpr int kKindCount = 11;

// Counts one call of the kind. True: it must fail; errno is set.
bool fails(Kind kind);

// The error that failing calls have.
int error_number();

// The next definition of a function after this library's; null where there is none.
void* find_real(const char* name);

template <typename Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(find_real(name));
}

}  // namespace hdbench::faults
