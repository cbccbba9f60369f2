// One line of progress on standard error, for work that takes longer than a second.
//
// Thread-safe. Prints nothing if standard error is no terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace hdbench::bench {

class Progress {
 public:
  explicit Progress(std::string title);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  // Wipes the line.
  ~Progress();

  void show(std::uint64_t done, std::uint64_t total, std::string_view what = {});
  // The same for a share from 0 to 1.
  void show_share(double done, std::string_view what) {
    constexpr double kSteps = 1000;
    show(static_cast<std::uint64_t>(done * kSteps), static_cast<std::uint64_t>(kSteps), what);
  }
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

}  // namespace hdbench::bench
