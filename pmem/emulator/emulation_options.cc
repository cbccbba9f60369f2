#include "pmem/emulator/emulation_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace hdbench::pmem {
namespace {

constexpr std::array<std::string_view, 3> kModeNames = {"wall", "model", "ratio"};

}  // namespace

std::shared_ptr<EmulatedMeter> make_shared_meter(const EmulationOptions& options) {
  auto meter = EmulatedMeter::make(
      {options.mode, {}, options.host, {}, options.last_level_cache_bytes, nullptr});
  HDB_CHECK(meter.ok(), "a meter without devices can always be made");
  return std::move(meter).value();
}

std::string_view word(EmulationMode mode) { return kModeNames[static_cast<std::size_t>(mode)]; }

Result<EmulationMode> parse_emulation_mode(std::string_view text) {
  const auto* const found = std::find(kModeNames.begin(), kModeNames.end(), text);
  if (found != kModeNames.end()) return static_cast<EmulationMode>(found - kModeNames.begin());
  return usage_error(
      fmt::format("--emulation: '{}' is not one of {}", text, fmt::join(kModeNames, ", ")));
}

}  // namespace hdbench::pmem
