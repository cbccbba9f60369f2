// Output of results: collects text in pieces of about 1 MiB, so that millions of rows need few
// writes.
//
// A closed reader (`| head`) is no error and ends printing. Any other failure of a write is an
// error.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace hdbench::bench {

class TextSink {
 public:
  // Writes a piece of text. Returns false if the reader is gone.
  using Write = std::function<Result<bool>(std::string_view piece)>;
  explicit TextSink(Write write, std::size_t piece_bytes = std::size_t{1} << 20);

  // Text is appended here; pass_on() after each row or so.
  std::string& text() { return text_; }
  // Writes when a piece is full. False: stop printing (the reader has gone, or a write failed).
  bool pass_on();
  // Writes what is left. Errors: kData, what the system said.
  Status finish();

 private:
  void write_out();

  Write write_;
  std::size_t piece_bytes_;
  std::string text_;
  bool open_ = true;
  Status status_ = ok_status();
};

// kText is made printable (engine/base/text.h), but for a TextLook's colours on a
// terminal; so is kData on a terminal. Elsewhere, kData is written as it is.
enum class Content { kText, kData };

// Writes to file descriptor 1. Ends also when stop is set (null: never). Requires: SIGPIPE is
// ignored; pieces end with whole characters.
TextSink standard_output(const std::atomic<bool>* stop = nullptr, Content content = Content::kText);

// Writes one text to it, whole. Errors: TextSink::finish()'s.
Status print_text(std::string text);

// How text is shown where standard output goes: the width of its lines, and colours on a terminal.
enum class Tint { kStrong, kAlarm, kReal, kEmulated, kSoft };

struct TextLook {
  std::size_t columns = 100;
  bool has_colours = false;

  // The text, in one line or several, in this tint. Its bytes no longer count columns.
  std::string tinted(std::string_view text, Tint tint) const;
};

// The text, printable (engine/base/printable_text.h), with the colours that tinted() gives.
std::string printable_with_colours(std::string_view text);

// A terminal, as look_of() wants it. Null: a variable that is not set.
struct TerminalFacts {
  bool is_terminal = false;
  std::size_t columns = 0;  // 0: not known
  const char* no_color = nullptr;
  const char* term = nullptr;
};

// On a terminal its width, 60 to 200, and colours unless NO_COLOR says otherwise
// (https://no-color.org) or it is a dumb one; elsewhere `usual` columns.
TextLook look_of(const TerminalFacts& facts, std::size_t usual);

// Of standard output.
TextLook output_look(std::size_t usual);

// The width of the terminal that standard output is; 0: it is none, or does not tell.
std::size_t terminal_columns();

}  // namespace hdbench::bench
