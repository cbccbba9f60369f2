// Units of memory.
#pragma once

#include <cstddef>

namespace hdbench {

constexpr std::size_t kKiB = std::size_t{1} << 10;
constexpr std::size_t kMiB = std::size_t{1} << 20;

}  // namespace hdbench
