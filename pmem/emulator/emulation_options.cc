#include "pmem/emulator/emulation_options.h"

#include <fmt/format.h>

namespace hdbench {

std::shared_ptr<EmulatedMeter> make_shared_meter(const EmulationOptions& options) {
  auto meter = EmulatedMeter::make(
      {options.mode, {}, options.host, {}, options.last_level_cache_bytes, nullptr});
  HDB_CHECK(meter.ok(), "a meter without devices can always be made");
  return std::move(meter).value();
}

std::string_view word(EmulationMode mode) {
  switch (mode) {
    case EmulationMode::kWall: return "wall";
    case EmulationMode::kModel: return "model";
    case EmulationMode::kRatio: return "ratio";
  }
  return "";
}

Result<EmulationMode> parse_emulation_mode(std::string_view text) {
  for (const EmulationMode mode :
       {EmulationMode::kWall, EmulationMode::kModel, EmulationMode::kRatio}) {
    if (text == word(mode)) return mode;
  }
  return usage_error(fmt::format("--emulation: '{}' is not one of wall, model, ratio", text));
}

}  // namespace hdbench
