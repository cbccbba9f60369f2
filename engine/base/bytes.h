// Bytes: bounds-checked little-endian reads from untrusted ones, and units of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

namespace hdbench {

using Bytes = std::span<const std::byte>;

constexpr std::size_t kKiB = std::size_t{1} << 10;
constexpr std::size_t kMiB = std::size_t{1} << 20;

// Whether [offset, offset + size) lies within `available` bytes, without overflow.
constexpr bool within_bounds(std::uint64_t offset, std::uint64_t size, std::uint64_t available) {
  return offset <= available && size <= available - offset;
}

// The integer at `offset`, or nothing where the bytes end before it does.
template <typename T>
std::optional<T> read_at(Bytes bytes, std::uint64_t offset) {
  if (!within_bounds(offset, sizeof(T), bytes.size())) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

// Requires: the bounds were checked.
template <typename T>
T load_at(Bytes bytes, std::uint64_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

inline std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline bool starts_with(Bytes bytes, std::string_view magic) {
  return as_text(bytes).substr(0, magic.size()) == magic;
}

}  // namespace hdbench
