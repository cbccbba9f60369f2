// Processes, threads and mounts: see fail_call.cc.
#include <linux/loop.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdarg>

#include "tests/faults/fail_call.h"

using hdbench::faults::error_number;
using hdbench::faults::fails;
using hdbench::faults::Kind;
using hdbench::faults::real;

extern "C" {

pid_t fork() {
  static const auto next = real<decltype(&fork)>("fork");
  return fails(Kind::kProcess) ? -1 : next();
}

int posix_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const words[], char* const variables[]) {
  static const auto next = real<decltype(&posix_spawn)>("posix_spawn");
  if (fails(Kind::kProcess)) return error_number();
  return next(child, path, actions, attributes, words, variables);
}

int posix_spawnp(pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attributes, char* const words[],
                 char* const variables[]) {
  static const auto next = real<decltype(&posix_spawnp)>("posix_spawnp");
  if (fails(Kind::kProcess)) return error_number();
  return next(child, path, actions, attributes, words, variables);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*),
                   void* given) {
  static const auto next = real<decltype(&pthread_create)>("pthread_create");
  return fails(Kind::kProcess) ? error_number() : next(thread, attributes, work, given);
}

int pipe2(int ends[2], int flags) {
  static const auto next = real<decltype(&pipe2)>("pipe2");
  return fails(Kind::kProcess) ? -1 : next(ends, flags);
}

int socketpair(int domain, int type, int protocol, int ends[2]) {
  static const auto next = real<decltype(&socketpair)>("socketpair");
  return fails(Kind::kProcess) ? -1 : next(domain, type, protocol, ends);
}

int mount(const char* from, const char* at, const char* type, unsigned long flags,
          const void* options) {
  static const auto next = real<decltype(&mount)>("mount");
  return fails(Kind::kMount) ? -1 : next(from, at, type, flags, options);
}

// Of loop devices alone; everything else goes through.
int ioctl(int file, unsigned long request, ...) {
  static const auto next = real<decltype(&ioctl)>("ioctl");
  constexpr unsigned long kLoopRequests = 0x4C00;
  std::va_list rest;
  va_start(rest, request);
  void* given = va_arg(rest, void*);
  va_end(rest);
  const bool is_loop = (request & ~0xFFUL) == kLoopRequests && request != LOOP_CLR_FD;
  return is_loop && fails(Kind::kMount) ? -1 : next(file, request, given);
}

}  // extern "C"
