// Decides whether a block device may be overwritten: never one that is in use, and one with content
// only after explicit confirmation.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "engine/base/result.h"
#include "pmem/base/machine_paths.h"

namespace hdbench {

// What the first mebibyte of a device contains: "an XFS filesystem", "an ext4 filesystem", "a
// partition table", "data"; nothing if all of it is zero. Requires: 128 KiB or more.
std::optional<std::string> held(std::span<const std::byte> head);

// What uses the device: "mounted on /db", "its partition vda1 is mounted on /", "dm-0 lies on it",
// "swap"; nothing if the kernel shows no user. name: "vda".
std::optional<std::string> user_of(const std::string& name, const MachinePaths& paths = {});

struct SpareDevice {
  std::string path;    // "/dev/nvme1n1"
  std::string name;    // "nvme1n1"
  std::string number;  // "259:1"
};

// Asks on the terminal before it allows an empty device; yes: the user has said so already.
// Errors: kUsage: no block device, in use, or holds something and yes is not set; kData: it cannot
// be opened.
Result<SpareDevice> allow_device(const std::string& path, bool yes, const MachinePaths& paths = {});

}  // namespace hdbench
