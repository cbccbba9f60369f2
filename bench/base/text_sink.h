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

}  // namespace hdbench::bench
