// An emulated medium: its bytes are in DRAM, and every access is charged to a device profile
// (emulated_meter.h).
//
// On a memory device every run is warm. A block device has a page cache: cold, each page is charged
// once; warm, none is.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "pmem/base/medium_spec.h"
#include "pmem/emulator/emulated_meter.h"
#include "pmem/media/medium.h"

namespace hdbench::pmem {

class EmulatedMedium : public Medium {
 public:
  virtual std::shared_ptr<EmulatedMeter> meter() = 0;
  virtual const std::string& profile() const = 0;
  virtual EmulationMode mode() const = 0;
  // Of the near cache; 0: it has none.
  virtual std::uint64_t near_cache_bytes() const = 0;
  // Of the columns that lie on it now.
  virtual std::uint64_t column_bytes() const = 0;
  // Figures in which the device is faster than this host, and which are therefore the host's.
  virtual std::vector<std::string> host_limits(std::size_t threads) const = 0;
};

// Whether make_emulated() makes it: a word with a profile, or memory-mode with `near`.
bool is_emulated(const MediumSpec& word);
// Whether the text of a medium names an emulated one; false for text that is no medium.
bool is_emulated(std::string_view medium);

// Checks what make_emulated() would be given, as far as possible without the host.
Status check_emulated(const MediumSpec& word);

// A word with a profile, or memory-mode with `near`. A near cache's share is of options.data_bytes,
// 1 MiB at least. Errors: load_profile()'s; kUsage: a near cache that is too small or has no size,
// an option that does not fit the profile.
Result<std::unique_ptr<EmulatedMedium>> make_emulated(const MediumSpec& word,
                                                      const EmulationOptions& options);

// The device that make_emulated() would emulate. Errors: as its.
Result<EmulatedDeviceSetup> emulated_setup(const MediumSpec& word, const EmulationOptions& options);

// The medium as an emulated one; null for a real one.
EmulatedMedium* as_emulated(Medium& medium);

}  // namespace hdbench::pmem
