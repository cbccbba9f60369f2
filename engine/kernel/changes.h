// Where values differ from those before them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hdbench {

// Sets bit i (bits.h) where values[i] is not values[i - 1]; values[0] is held against `before`.
// Other bits stay.
void note_changes(const std::int64_t* values, std::int64_t before, std::size_t count,
                  std::uint64_t* bits);

// A byte a bit: 1 where it is set, else 0.
void bytes_of_bits(const std::uint64_t* bits, std::size_t count, std::byte* bytes);

}  // namespace hdbench
