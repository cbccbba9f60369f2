// malloc and its kin, and mmap: see fail_call.cc. operator new calls these.
#include <sys/mman.h>

#include <cerrno>
#include <cstddef>

#include "tests/faults/fail_call.h"

using hdbench::faults::fails;
using hdbench::faults::Kind;
using hdbench::faults::real;

extern "C" {

// glibc's own names of them: looking them up would itself allocate.
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);

void* malloc(std::size_t bytes) {
  return fails(Kind::kAllocation) ? nullptr : __libc_malloc(bytes);
}

void* calloc(std::size_t count, std::size_t bytes) {
  return fails(Kind::kAllocation) ? nullptr : __libc_calloc(count, bytes);
}

void* realloc(void* memory, std::size_t bytes) {
  return fails(Kind::kAllocation) ? nullptr : __libc_realloc(memory, bytes);
}

void* memalign(std::size_t alignment, std::size_t bytes) {
  return fails(Kind::kAllocation) ? nullptr : __libc_memalign(alignment, bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return fails(Kind::kAllocation) ? nullptr : __libc_memalign(alignment, bytes);
}

int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  const int kept = errno;
  void* made = fails(Kind::kAllocation) ? nullptr : __libc_memalign(alignment, bytes);
  errno = kept;
  if (made == nullptr) return ENOMEM;
  *memory = made;
  return 0;
}

void* mmap(void* at, std::size_t bytes, int protection, int flags, int file, off_t offset) {
  static const auto next = real<decltype(&mmap)>("mmap");
  return fails(Kind::kMmap) ? MAP_FAILED : next(at, bytes, protection, flags, file, offset);
}

void* mmap64(void* at, std::size_t bytes, int protection, int flags, int file, off_t offset) {
  return mmap(at, bytes, protection, flags, file, offset);
}

void* mremap(void* at, std::size_t bytes, std::size_t new_bytes, int flags, ...) {
  static const auto next = real<decltype(&mremap)>("mremap");
  return fails(Kind::kMmap) ? MAP_FAILED : next(at, bytes, new_bytes, flags);
}

}  // extern "C"
