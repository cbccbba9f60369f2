// Options of emulated media: the mode, and the calibration of the host.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "engine/base/result.h"
#include "pmem/emulator/emulated_meter.h"

namespace hdbench::pmem {

struct EmulationOptions {
  EmulationMode mode = EmulationMode::kWall;
  HostCalibration host;  // unknown: no host limit can be told, and no ratio
  std::uint64_t last_level_cache_bytes = 0;
  // Disks whose profile has no `read_around`: what the kernel reads around a page that a mapping
  // lacks, here Linux's default. make_medium() puts the host's disk's in its place.
  std::uint64_t read_around_bytes = 128 << 10;
  // What a near cache's share is a share of; 0: not known, and a share is refused.
  std::uint64_t data_bytes = 0;
  // That media which are used together share, so that a worker's waits add up; null: each has its
  // own. Of the same mode.
  std::shared_ptr<EmulatedMeter> meter = {};
};

// A meter for such media, without devices yet.
std::shared_ptr<EmulatedMeter> make_shared_meter(const EmulationOptions& options);

// "wall", "model", "ratio".
std::string_view word(EmulationMode mode);
// Errors: kUsage, naming --emulation.
Result<EmulationMode> parse_emulation_mode(std::string_view text);

}  // namespace hdbench::pmem
