// Reads from a device into a small reused buffer and copies from there to the destination.
//
// For virtual disks whose data a thread of the hypervisor copies: that copy is faster into memory
// that is in a cache. Costs the CPUs one more copy. (Figures:
// docs/measurements/2026-11-25-figures-from-comments.md)
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace hdbench {

// Copies past the caches, and demotes what was copied (demote.h). Fenced on return. Requires: no
// overlap; `to` lies at a multiple of 64 bytes.
void copy_from_bounce(std::byte* to, std::span<const std::byte> bounce);

// Whether the hypervisor may copy what the device delivers: true for virtio disks and devices on
// top of them, as the guest cannot see whether it does. False also where sysfs does not show the
// driver, and for virtio's SCSI disks. `device`: as stat() gives it.
bool may_be_copied_by_host(const std::filesystem::path& sysfs, std::uint64_t device);

}  // namespace hdbench
