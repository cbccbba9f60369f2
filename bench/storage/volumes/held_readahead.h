// The readahead of disks (/sys/block/DISK/queue/read_ahead_kb), set for a while and written back
// however the command ends (guard.h). A file keeps the readahead that its disk had when the file
// was opened.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/base/guard.h"
#include "bench/base/layers.h"
#include "engine/base/result.h"
#include "pmem/base/machine_paths.h"

namespace hdbench::bench {

class HeldReadahead {
 public:
  // Of the disks below these paths; registers what they have now. Errors: kData: a path on no disk,
  // or on a filesystem with a readahead of its own; a setting that may not be written (only root
  // may).
  static Result<HeldReadahead> hold(const std::vector<std::filesystem::path>& paths, Guard& guard,
                                    const MachinePaths& machine = {});

  // In KiB; nothing: what it was. Errors: kData: the kernel has set another figure.
  Status set(std::optional<std::uint64_t> kib) const;

  // "vda: readahead 128 KiB": before any was set.
  std::vector<std::string> describe() const;

 private:
  struct Setting {
    std::string disk;
    std::filesystem::path file;
    std::uint64_t before_kib = 0;
  };
  std::vector<Setting> settings_;
};

}  // namespace hdbench::bench
