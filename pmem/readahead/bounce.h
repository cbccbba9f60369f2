// Bytes on their way from a device, through a little memory that is used again and again, to where
// they stay.
//
// Where a thread of a virtual machine's host copies what the disk gives, it is faster into memory
// that it finds in a cache. Granite Rapids, 306 MB read past the page cache to stay: 94 ms through
// 512 KiB a reader, 127 ms straight (41 repetitions in turn). The CPUs have one more copy to make;
// what it does where a device writes to memory by itself was not measured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace hdbench {

// Copies past the caches, and demotes what was copied (demote.h). Fenced on return. Requires: no
// overlap; `to` lies at a multiple of 64 bytes.
void copy_from_bounce(std::byte* to, std::span<const std::byte> bounce);

// Whether a host may copy what the device gives: a virtio disk, or what lies on one. The guest is
// not told whether it does. No: also where sysfs does not tell, and for virtio's SCSI disks.
// `device`: as stat() gives it.
bool may_be_copied_by_host(const std::filesystem::path& sysfs, std::uint64_t device);

}  // namespace hdbench
