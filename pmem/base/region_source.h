// Where a medium's regions come from: one call that maps some bytes.
//
// A source gives zero-filled bytes, aligned to 4096 and, from 2 MiB on, to 2 MiB where the medium
// can. It may be called from several threads. Errors: kData, with what was asked for and what there
// is.
#pragma once

#include <cstddef>
#include <functional>

#include "engine/base/result.h"
#include "engine/base/store.h"

namespace hdbench {

using RegionSource = std::function<Result<Region>(std::size_t bytes)>;

inline constexpr std::size_t kRegionAlignment = 4096;
inline constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace hdbench
