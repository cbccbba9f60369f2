#include "bench/base/text_sink.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "bench/base/interrupt.h"
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

// Select Graphic Rendition (ECMA-48, 8.3.117); the eight colours that every terminal has.
const char* code_of(Tint tint) {
  switch (tint) {
    case Tint::kStrong: return "1";
    case Tint::kAlarm: return "1;31";
    case Tint::kReal: return "36";
    case Tint::kEmulated: return "33";
    case Tint::kSoft: return "2";
  }
  return "0";
}

// Of a sequence of tinted() at the front of the text; 0: there is none.
std::size_t colour_bytes(std::string_view text) {
  constexpr std::string_view kCodes[] = {"0", "1", "1;31", "2", "33", "36"};
  for (const std::string_view code : kCodes) {
    const std::string sequence = fmt::format("\x1b[{}m", code);
    if (text.starts_with(sequence)) return sequence.size();
  }
  return 0;
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

Status print_text(std::string text) {
  TextSink sink = standard_output();
  sink.text() = std::move(text);
  return sink.finish();
}

std::string TextLook::tinted(std::string_view text, Tint tint) const {
  if (!has_colours) return std::string(text);
  std::string out;
  while (!text.empty()) {  // a pager keeps colours within a line
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) out += fmt::format("\x1b[{}m{}\x1b[0m", code_of(tint), text.substr(0, end));
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string printable_with_colours(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t colour = std::min(text.find("\x1b["), text.size());
    out += printable(text.substr(0, colour));
    text.remove_prefix(colour);
    const std::size_t bytes = colour_bytes(text);
    out += text.substr(0, bytes);
    text.remove_prefix(bytes);
    if (bytes != 0 || text.empty()) continue;
    out += printable(text.substr(0, 1));  // another escape sequence
    text.remove_prefix(1);
  }
  return out;
}

TextLook look_of(const TerminalFacts& facts, std::size_t usual) {
  if (!facts.is_terminal) return {usual, false};
  constexpr std::size_t kLeast = 60;
  constexpr std::size_t kMost = 200;
  const bool is_refused = facts.no_color != nullptr && *facts.no_color != '\0';
  const std::string_view term = facts.term == nullptr ? "dumb" : facts.term;
  return {std::clamp(facts.columns == 0 ? usual : facts.columns, kLeast, kMost),
          !is_refused && term != "dumb"};
}

TextLook output_look(std::size_t usual) {
  return look_of({isatty(STDOUT_FILENO) == 1, terminal_columns(), std::getenv("NO_COLOR"),
                  std::getenv("TERM")},
                 usual);
}

std::size_t terminal_columns() {
  winsize size{};
  const bool is_known = isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return is_known ? size.ws_col : 0;
}

}  // namespace hdbench::bench
