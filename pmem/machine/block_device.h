// A block device as sysfs shows it: its composition and its queue, both of which affect cold
// queries.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hdbench::pmem {

struct BlockDevice {
  std::string name;       // "nvme0n1p2"
  std::string disk;       // whose partition it is, "nvme0n1"; itself where it is none
  std::string model;      // of the disk; empty: not known
  std::string transport;  // "nvme", "virtio", "scsi", ...: the bus of its driver; empty: not known
  std::uint64_t bytes = 0;
  int numa_node = -1;
  std::vector<std::string> below;  // what a mapped or striped device lies on
  // The disk's queue; nothing where sysfs does not show it.
  std::optional<bool> rotational;
  std::string scheduler;  // "none", "mq-deadline"; empty: not known
  std::optional<std::uint64_t> readahead_bytes;
  std::optional<std::uint64_t> requests_max;  // nr_requests, a hardware queue
  std::optional<std::uint64_t> request_bytes_max;
  std::optional<std::uint64_t> logical_block_bytes, physical_block_bytes;
  std::size_t hardware_queues = 0;  // 0: not known
  std::string write_cache;          // "write back", "write through"
  bool dax = false;
};

// By its kernel name ("vda", "dm-0"). Nothing where sysfs has no such device.
std::optional<BlockDevice> read_block_device(const std::filesystem::path& sysfs,
                                             const std::string& name);

// "/dev/vda: 64.0 GiB, not rotational, scheduler none, ..."
std::string describe(const BlockDevice& device);

}  // namespace hdbench::pmem
