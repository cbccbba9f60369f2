// Sorts pairs of a number and a group: by radix if the numbers' range needs few digits, else by
// comparison.
#pragma once

#include <cstdint>
#include <span>

namespace hdbench {

struct Numbered {
  std::int64_t number = 0;
  std::uint32_t group = 0;
};

// By number; equal numbers keep their order. `room`: as many as `items`, left as they come.
void sort_numbered(std::span<Numbered> items, std::span<Numbered> room);

}  // namespace hdbench
