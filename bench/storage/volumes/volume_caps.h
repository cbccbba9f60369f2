// Compares, for each volume class, the published caps with what the kernel's throttle lets through
// and what the emulator gives from the same profile.
//
// Under the throttle a disk is read past the page cache by eight threads: sequential blocks of 1
// MiB for bandwidth, random blocks of 4 KiB for IOPS. A cap above the disk's own rate is shown on a
// disk in memory (temporary_disk.h); if even that is too slow, the row says so.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/base/guard.h"
#include "bench/storage/volumes/volume_class.h"
#include "engine/base/result.h"

namespace hdbench::bench {

struct CapRow {
  std::string volume;
  std::string what;              // "MB/s", "MB/s without credits", "IOPS", ...
  double published = 0;          // of the profile: MB/s or I/Os a second
  std::optional<double> kernel;  // under the throttle
  std::string disk;              // that was throttled: "vda", "zram1 (memory)"
  std::optional<double> emulated;
  std::string note;  // why a figure is missing
};

// The rates that the emulator's account gives to back-to-back reads with a full or an empty bucket,
// in virtual time.
DeviceCaps emulated_rates(const VolumeClass& volume, bool has_credits);

// A row a cap of each class, in the order of volume_class_names(). Where no throttle can be set the
// kernel's column is empty and its reason is in the notes. Errors: kUsage "interrupted"; kData.
Result<std::vector<CapRow>> volume_caps(const std::filesystem::path& path, double seconds,
                                        Guard& guard, const std::atomic<bool>& stop,
                                        const std::function<void(std::string_view)>& on_step);

std::string caps_text(const std::vector<CapRow>& rows);

}  // namespace hdbench::bench
