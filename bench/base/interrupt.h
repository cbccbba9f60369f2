// Ctrl-C: the first one requests an orderly end, the second one ends the program at once.
#pragma once

#include <atomic>

namespace hdbench::bench {

constexpr int kInterruptedStatus = 130;

// From here on SIGINT and SIGTERM set the flag.
void catch_interrupts();

// Set once an interrupt has come.
const std::atomic<bool>& interrupted();

}  // namespace hdbench::bench
