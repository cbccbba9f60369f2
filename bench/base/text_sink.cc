#include "bench/base/text_sink.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "bench/base/interrupt.h"
#include "bench/base/text_look.h"
#include "engine/base/text.h"

namespace hdbench::bench {
namespace {

constexpr int kStdoutPollMs = 50;
constexpr int kStdoutPolls = 20;  // once interrupted: a second for the reader to come

// A pipe that nobody empties is waited for until an interrupt comes.
Result<bool> write_to_standard_output(std::string_view piece, const std::atomic<bool>* stop) {
  int polls = 0;
  while (!piece.empty()) {
    if (stop != nullptr && *stop) return false;
    if (polls >= kStdoutPolls && interrupted().load()) return usage_error("interrupted");
    pollfd ready{STDOUT_FILENO, POLLOUT, 0};
    if (::poll(&ready, 1, kStdoutPollMs) <= 0) {
      polls = interrupted().load() ? polls + 1 : 0;
      continue;
    }
    const ssize_t written = ::write(STDOUT_FILENO, piece.data(), piece.size());
    if (written >= 0) {
      piece.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      return false;
    } else if (errno != EINTR && errno != EAGAIN) {
      return data_error(std::string("standard output: ") + std::strerror(errno));
    }
  }
  return true;
}

}  // namespace

TextSink::TextSink(Write write, std::size_t piece_bytes)
    : write_(std::move(write)), piece_bytes_(piece_bytes) {}

bool TextSink::pass_on() {
  if (text_.size() >= piece_bytes_) write_out();
  return open_;
}

Status TextSink::finish() {
  write_out();
  return status_;
}

void TextSink::write_out() {
  if (open_ && !text_.empty()) {
    const Result<bool> written = write_(text_);
    if (!written.ok()) status_ = written.error();
    open_ = written.ok() && *written;
  }
  text_.clear();
}

TextSink standard_output(const std::atomic<bool>* stop, Content content) {
  const bool is_terminal = isatty(STDOUT_FILENO) == 1;
  if (content == Content::kData && !is_terminal) {
    return TextSink(
        [stop](std::string_view piece) { return write_to_standard_output(piece, stop); });
  }
  return TextSink([stop, is_terminal](std::string_view piece) {
    const std::string text = is_terminal ? printable_with_colours(piece) : printable(piece);
    return write_to_standard_output(text, stop);
  });
}

}  // namespace hdbench::bench
