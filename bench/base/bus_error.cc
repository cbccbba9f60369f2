#include "bench/base/bus_error.h"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstddef>

#include "bench/base/report_error.h"

namespace hdbench::bench {
namespace {

void say(std::string_view text) {
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) return;
}

// A name may hold anything: what a terminal would act upon, or might, becomes a question mark.
void say_name(std::string_view name) {
  for (const char c : name) say(c >= ' ' && c <= '~' ? std::string_view(&c, 1) : "?");
}

// Only calls that a signal handler may make: open, read, write, _exit.
void on_bus_error(int, siginfo_t* info, void*) {
  static char maps[1 << 16];
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  std::string_view path;
  const int file = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  std::size_t kept = 0;
  while (file >= 0 && path.empty()) {
    const ssize_t got = ::read(file, maps + kept, sizeof(maps) - kept);
    if (got <= 0) break;
    std::string_view text(maps, kept + static_cast<std::size_t>(got));
    for (std::size_t end = text.find('\n'); end != std::string_view::npos && path.empty();
         end = text.find('\n')) {
      path = mapped_path(text.substr(0, end), address);
      text.remove_prefix(end + 1);
    }
    if (!path.empty()) break;
    kept = text.size();
    for (std::size_t i = 0; i < kept; ++i) maps[i] = text[i];
  }
  say("hdbench: ");
  say_name(path.empty() ? "a mapped file" : path);
  say(": cannot be read where it was mapped: it was truncated meanwhile, or its disk failed\n");
  ::_exit(kDataStatus);
}

}  // namespace

std::string_view mapped_path(std::string_view maps_line, std::uintptr_t address) {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  const char* last = maps_line.data() + maps_line.size();
  const auto first = std::from_chars(maps_line.data(), last, begin, 16);
  if (first.ptr == last || *first.ptr != '-') return {};
  std::from_chars(first.ptr + 1, last, end, 16);
  if (address < begin || address >= end) return {};
  const std::size_t slash = maps_line.find('/');
  return slash == std::string_view::npos ? std::string_view() : maps_line.substr(slash);
}

void catch_bus_errors() {
  struct sigaction action = {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, nullptr);
}

}  // namespace hdbench::bench
