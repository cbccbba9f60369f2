#include "bench/base/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "engine/base/text.h"

namespace hdbench::bench {
namespace {

constexpr std::size_t kProgressColumns = 79;
constexpr auto kFirstAfter = std::chrono::seconds(1);
constexpr auto kBetween = std::chrono::milliseconds(100);

}  // namespace

Progress::Progress(std::string title)
    : title_(std::move(title)),
      is_terminal_(isatty(STDERR_FILENO) == 1),
      next_(Clock::now() + kFirstAfter) {}

Progress::~Progress() { hide(); }

void Progress::show(std::uint64_t done, std::uint64_t total, std::string_view what) {
  if (!is_terminal_) return;
  const std::lock_guard lock(mutex_);
  if (Clock::now() < next_) return;
  next_ = Clock::now() + kBetween;
  shown_ = true;
  const std::string line = progress_line(title_, done, total, what, kProgressColumns);
  std::fprintf(stderr, "\r\033[K%s", line.c_str());
  std::fflush(stderr);
}

void Progress::hide() {
  const std::lock_guard lock(mutex_);
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

std::string progress_line(std::string_view title, std::uint64_t done, std::uint64_t total,
                          std::string_view what, std::size_t columns) {
  constexpr std::uint64_t kBarLength = 20;
  const std::uint64_t whole = std::max<std::uint64_t>(1, total);
  const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(whole));
  const auto filled = static_cast<std::size_t>(part * kBarLength);
  std::string line = fmt::format("{}  [{}{}] {:3.0f} %", title, std::string(filled, '#'),
                                 std::string(kBarLength - filled, '.'), part * 100);
  if (!what.empty()) line += fmt::format("  {}", printable_line(what));
  if (line.size() > columns) line.resize(columns);
  return line;
}

}  // namespace hdbench::bench
