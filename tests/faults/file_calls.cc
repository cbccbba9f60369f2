// Calls on files: see fail_call.cc. Each definition fails as the C library's would, or calls it.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>

#include "tests/faults/fail_call.h"

using hdbench::faults::fails;
using hdbench::faults::Kind;
using hdbench::faults::real;

// HDB_FAULT(kind, type, failure, name, (parameters), (arguments)): one function of the C library.
#define HDB_FAULT(kind, type, failure, name, parameters, arguments) \
  extern "C" type name parameters {                                 \
    using Next = type(*) parameters;                                \
    static const Next next = real<Next>(#name);                     \
    return fails(Kind::kind) ? failure : next arguments;            \
  }

// Those of the open family, whose mode is there only where a file may be made.
#define HDB_FAULT_OPEN(name)                                  \
  extern "C" int name(const char* path, int flags, ...) {     \
    using Next = int (*)(const char*, int, ...);              \
    static const Next next = real<Next>(#name);               \
    std::va_list rest;                                        \
    va_start(rest, flags);                                    \
    const mode_t mode = va_arg(rest, mode_t);                 \
    va_end(rest);                                             \
    return fails(Kind::kOpen) ? -1 : next(path, flags, mode); \
  }
#define HDB_FAULT_OPENAT(name)                                           \
  extern "C" int name(int directory, const char* path, int flags, ...) { \
    using Next = int (*)(int, const char*, int, ...);                    \
    static const Next next = real<Next>(#name);                          \
    std::va_list rest;                                                   \
    va_start(rest, flags);                                               \
    const mode_t mode = va_arg(rest, mode_t);                            \
    va_end(rest);                                                        \
    return fails(Kind::kOpen) ? -1 : next(directory, path, flags, mode); \
  }

HDB_FAULT_OPEN(open)
HDB_FAULT_OPEN(open64)
HDB_FAULT_OPENAT(openat)
HDB_FAULT_OPENAT(openat64)
HDB_FAULT(kOpen, FILE*, nullptr, fopen, (const char* path, const char* mode), (path, mode))
HDB_FAULT(kOpen, FILE*, nullptr, fopen64, (const char* path, const char* mode), (path, mode))
HDB_FAULT(kOpen, DIR*, nullptr, opendir, (const char* path), (path))
HDB_FAULT(kOpen, DIR*, nullptr, fdopendir, (int file), (file))
HDB_FAULT(kOpen, int, -1, mkstemp, (char* path), (path))
HDB_FAULT(kOpen, int, -1, mkostemp, (char* path, int flags), (path, flags))

HDB_FAULT(kStat, int, -1, stat, (const char* path, struct stat* to), (path, to))
HDB_FAULT(kStat, int, -1, lstat, (const char* path, struct stat* to), (path, to))
HDB_FAULT(kStat, int, -1, fstat, (int file, struct stat* to), (file, to))
HDB_FAULT(kStat, int, -1, fstatat, (int directory, const char* path, struct stat* to, int flags),
          (directory, path, to, flags))
HDB_FAULT(kStat, int, -1, stat64, (const char* path, struct stat64* to), (path, to))
HDB_FAULT(kStat, int, -1, lstat64, (const char* path, struct stat64* to), (path, to))
HDB_FAULT(kStat, int, -1, fstat64, (int file, struct stat64* to), (file, to))

HDB_FAULT(kRead, ssize_t, -1, read, (int file, void* to, std::size_t bytes), (file, to, bytes))
HDB_FAULT(kRead, ssize_t, -1, readv, (int file, const iovec* to, int count), (file, to, count))
HDB_FAULT(kRead, ssize_t, -1, pread, (int file, void* to, std::size_t bytes, off_t at),
          (file, to, bytes, at))
HDB_FAULT(kRead, ssize_t, -1, pread64, (int file, void* to, std::size_t bytes, off_t at),
          (file, to, bytes, at))
HDB_FAULT(kRead, dirent*, nullptr, readdir, (DIR * directory), (directory))
HDB_FAULT(kRead, dirent64*, nullptr, readdir64, (DIR * directory), (directory))
HDB_FAULT(kRead, ssize_t, -1, readlink, (const char* path, char* to, std::size_t bytes),
          (path, to, bytes))

namespace {

bool write_fails(int file) { return file != STDERR_FILENO && fails(Kind::kWrite); }

// As a write that fails leaves a stream.
bool stream_fails(FILE* stream) {
  if (stream == stderr || !fails(Kind::kWrite)) return false;
  stream->_flags |= _IO_ERR_SEEN;
  return true;
}

}  // namespace

extern "C" ssize_t write(int file, const void* from, std::size_t bytes) {
  static const auto next = real<decltype(&write)>("write");
  return write_fails(file) ? -1 : next(file, from, bytes);
}

extern "C" ssize_t writev(int file, const iovec* from, int count) {
  static const auto next = real<decltype(&writev)>("writev");
  return write_fails(file) ? -1 : next(file, from, count);
}

HDB_FAULT(kWrite, ssize_t, -1, pwrite, (int file, const void* from, std::size_t bytes, off_t at),
          (file, from, bytes, at))
HDB_FAULT(kWrite, ssize_t, -1, pwrite64, (int file, const void* from, std::size_t bytes, off_t at),
          (file, from, bytes, at))
HDB_FAULT(kWrite, ssize_t, -1, pwritev, (int file, const iovec* from, int count, off_t at),
          (file, from, count, at))

// HDB_FAULT_STREAM(failure, type, name, (parameters), (arguments), stream): of the C library's
// streams, whose own calls of write() cannot be replaced.
#define HDB_FAULT_STREAM(failure, type, name, parameters, arguments, stream) \
  extern "C" type name parameters {                                          \
    using Next = type(*) parameters;                                         \
    static const Next next = real<Next>(#name);                              \
    return stream_fails(stream) ? failure : next arguments;                  \
  }

HDB_FAULT_STREAM(0, std::size_t, fwrite,
                 (const void* from, std::size_t bytes, std::size_t count, FILE* to),
                 (from, bytes, count, to), to)
HDB_FAULT_STREAM(EOF, int, fputs, (const char* text, FILE* to), (text, to), to)
HDB_FAULT_STREAM(EOF, int, fputc, (int byte, FILE* to), (byte, to), to)
HDB_FAULT_STREAM(EOF, int, puts, (const char* text), (text), stdout)
HDB_FAULT_STREAM(EOF, int, putchar, (int byte), (byte), stdout)
HDB_FAULT_STREAM(EOF, int, fflush, (FILE * to), (to), to == nullptr ? stdout : to)

HDB_FAULT(kFsync, int, -1, fsync, (int file), (file))
HDB_FAULT(kFsync, int, -1, fdatasync, (int file), (file))
HDB_FAULT(kFsync, int, -1, syncfs, (int file), (file))
HDB_FAULT(kFsync, int, -1, msync, (void* at, std::size_t bytes, int flags), (at, bytes, flags))

HDB_FAULT(kName, int, -1, rename, (const char* from, const char* to), (from, to))
HDB_FAULT(kName, int, -1, renameat,
          (int from_directory, const char* from, int to_directory, const char* to),
          (from_directory, from, to_directory, to))
HDB_FAULT(kName, int, -1, renameat2,
          (int from_directory, const char* from, int to_directory, const char* to, unsigned flags),
          (from_directory, from, to_directory, to, flags))
HDB_FAULT(kName, int, -1, link, (const char* from, const char* to), (from, to))
HDB_FAULT(kName, int, -1, linkat,
          (int from_directory, const char* from, int to_directory, const char* to, int flags),
          (from_directory, from, to_directory, to, flags))
HDB_FAULT(kName, int, -1, mkdir, (const char* path, mode_t mode), (path, mode))
HDB_FAULT(kName, int, -1, mkdirat, (int directory, const char* path, mode_t mode),
          (directory, path, mode))
HDB_FAULT(kName, char*, nullptr, mkdtemp, (char* path), (path))

HDB_FAULT(kSize, int, -1, ftruncate, (int file, off_t bytes), (file, bytes))
HDB_FAULT(kSize, int, -1, ftruncate64, (int file, off_t bytes), (file, bytes))
HDB_FAULT(kSize, int, -1, truncate, (const char* path, off_t bytes), (path, bytes))
HDB_FAULT(kSize, int, -1, fallocate, (int file, int mode, off_t at, off_t bytes),
          (file, mode, at, bytes))
HDB_FAULT(kSize, int, -1, fallocate64, (int file, int mode, off_t at, off_t bytes),
          (file, mode, at, bytes))
HDB_FAULT(kSize, int, hdbench::faults::error_number(), posix_fallocate,
          (int file, off_t at, off_t bytes), (file, at, bytes))
HDB_FAULT(kSize, int, hdbench::faults::error_number(), posix_fallocate64,
          (int file, off_t at, off_t bytes), (file, at, bytes))
