// The kernel's counters of this process: page faults, and bytes read from block devices.
//
// Read before and after a query; the differences are part of the proof of cold or warm.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace hdbench::pmem {

struct PageCounters {
  std::uint64_t major_faults = 0;  // a page had to be read
  std::uint64_t minor_faults = 0;  // a page was in memory, but not in the page table
  // Bytes that this process made block devices read; nothing where the kernel or container does not
  // tell.
  std::optional<std::uint64_t> device_bytes_read;

  // The counts since `earlier`.
  PageCounters since(const PageCounters& earlier) const;
};

// The counters of all threads of this process, since its start.
PageCounters read_page_counters(const std::filesystem::path& procfs = "/proc");

}  // namespace hdbench::pmem
