#include "pmem/emulation_options.h"

#include <fmt/format.h>

namespace hdbench {

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
