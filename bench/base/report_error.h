// What is reported on standard error: lines beside the results, and the error that ends a command,
// mapped to the exit status.
//
// All of it is printable (engine/base/text.h), whatever bytes its names have.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace hdbench::bench {

constexpr int kFine = 0;
constexpr int kLimitStatus = 1;
constexpr int kUsageStatus = 2;
constexpr int kDataStatus = 3;
constexpr int kMismatchStatus = 4;

// Prints the text and a line end.
void tell(std::string_view text);
// Whether tell() does, or nothing: where another process says the same. `who`: before each text.
void set_telling(bool tells, const std::string& who = {});

// Prints "hdbench: message" and the error's place to standard error and gives the exit status of
// the error's kind; after an interrupt 130.
int report_error(const Error& error);

}  // namespace hdbench::bench
