// Prints the error that ends a command, and maps it to the exit status.
#pragma once

#include "engine/base/result.h"

namespace hdbench {

constexpr int kFine = 0;
constexpr int kLimitStatus = 1;
constexpr int kUsageStatus = 2;
constexpr int kDataStatus = 3;
constexpr int kMismatchStatus = 4;

// Prints "hdbench: message" to standard error and gives the exit status of the error's kind; after
// an interrupt 130.
int report_error(const Error& error);

}  // namespace hdbench
