// Maps regions of a medium.
//
// A region is zero-filled and aligned to 4096 bytes, and from 2 MiB on to 2 MiB if the medium
// supports it. Thread-safe. Errors: kData, with the bytes requested and available.
#pragma once

#include <cstddef>
#include <functional>

#include "engine/base/result.h"
#include "engine/base/store.h"

namespace hdbench::pmem {

using RegionSource = std::function<Result<Region>(std::size_t bytes)>;

inline constexpr std::size_t kRegionAlignment = 4096;
inline constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace hdbench::pmem
