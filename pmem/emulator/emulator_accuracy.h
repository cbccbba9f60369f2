// How far the emulator was off, by kind of device, and what it was checked against: the table of
// docs/emulator-accuracy.md, whose figures are from docs/measurements.
#pragma once

#include <array>
#include <string_view>

namespace hdbench::pmem {

struct EmulatorAccuracy {
  std::string_view medium;   // the word that it is emulated by; empty: of a part of the emulator
  std::string_view device;   // the kind of device
  std::string_view against;  // what it was checked against
  std::string_view median;   // of the errors, as a share of what was measured; "-": none is known
  std::string_view worst;
};

constexpr std::array<EmulatorAccuracy, 8> kEmulatorAccuracy{{
    {"nvme", "disk, throttled", "the same disk, cold queries", "0.9 to 5.7 %", "26.0 %"},
    {"nvme", "disk, not throttled", "the same disk, cold queries", "14.2 to 15.1 %", "52 %"},
    {"nvme", "volume class", "its published caps", "-", "2.4 %"},
    {"", "latency of memory", "this machine's clock", "-", "6.7 %"},
    {"", "ratio mode, one thread", "published rates (FAST'20)", "-", "10 %"},
    {"app-direct", "Optane, App Direct", "never held against a real Optane device", "-", "-"},
    {"memory-mode", "Optane, Memory Mode", "never held against a real Optane device", "-", "-"},
    {"cxl", "CXL memory", "never held against a real CXL device", "-", "-"},
}};

}  // namespace hdbench::pmem
