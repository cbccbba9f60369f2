// Pages that are shared by a ratio between this host's memory and a device, in turn: local pages
// stay with the host, then far pages lie on the device.
//
// Pages have 4096 bytes and are numbered by their addresses.
#pragma once

#include <algorithm>
#include <cstdint>

#include "pmem/emulator/page_placement.h"

namespace hdbench::pmem {

struct PageInterleave {
  std::uint64_t local = 0;  // 0: every page lies on the device
  std::uint64_t far = 1;

  bool is_shared() const { return local > 0; }
  bool is_far(std::uintptr_t address) const {
    return address / kPlacedBlockBytes % (local + far) >= local;
  }
  // How many of the bytes [begin, end) lie on the device.
  std::uint64_t far_bytes(std::uintptr_t begin, std::uintptr_t end) const {
    return far_bytes_before(end) - far_bytes_before(begin);
  }

 private:
  std::uint64_t far_bytes_before(std::uintptr_t address) const {
    const std::uint64_t turn = (local + far) * kPlacedBlockBytes;
    const std::uint64_t rest = address % turn;
    const std::uint64_t of_host = local * kPlacedBlockBytes;
    return address / turn * far * kPlacedBlockBytes + rest - std::min(rest, of_host);
  }
};

}  // namespace hdbench::pmem
