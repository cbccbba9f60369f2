// Bytes on their way from a device, through a little memory that is used again and again, to where
// they stay.
//
// A disk of a virtual machine is copied by a thread of its host, which is faster into memory that
// it finds in a cache. Granite Rapids, 306 MB read past the page cache to stay: 94 ms through 512
// KiB a reader, 127 ms straight (41 repetitions in turn). A device that writes to memory by itself
// gains nothing by it, and the CPUs have the copy to make.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace hdbench {

// Copies past the caches, and demotes what was copied (demote.h). Fenced on return. Requires: no
// overlap; `to` lies at a multiple of 64 bytes.
void copy_from_bounce(std::byte* to, std::span<const std::byte> bounce);

// Whether a host copies what the device gives (a virtio disk, or what lies on one). No: also where
// sysfs does not tell. `device`: as stat() gives it.
bool is_copied_by_host(const std::filesystem::path& sysfs, std::uint64_t device);

}  // namespace hdbench
