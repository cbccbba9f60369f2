// One line of progress on standard error, for work that takes longer than a second.
//
// Thread-safe. Prints nothing if standard error is no terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace hdbench {

class Progress {
 public:
  explicit Progress(std::string title);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  // Wipes the line.
  ~Progress();

  void show(std::uint64_t done, std::uint64_t total, std::string_view what = {});
  // Wipes the line, so that something else can be printed.
  void hide();

 private:
  using Clock = std::chrono::steady_clock;

  std::string title_;
  bool is_terminal_;
  Clock::time_point next_;
  std::mutex mutex_;
  bool shown_ = false;
};

// "title  [########............]  40 %  what": at most `columns` characters wide.
std::string progress_line(std::string_view title, std::uint64_t done, std::uint64_t total,
                          std::string_view what, std::size_t columns);

}  // namespace hdbench
