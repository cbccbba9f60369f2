// The device lines that a selection accesses: media bytes are whole lines of the device's own size.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hdbench::pmem {

// A selection's bits over elements from an address on (engine/base/meter.h's Access).
struct SelectedElements {
  const std::byte* address = nullptr;  // of the first element
  std::uint64_t elements = 0;
  std::uint32_t element_bytes = 0;      // 1, 2, 4, 8 or 16
  const std::uint64_t* bits = nullptr;  // null: all are selected
};

// Lines of line_bytes (a power of two, 64 or more) that hold a byte of any element, selected or
// not.
std::uint64_t lines_of_extent(const SelectedElements& selection, std::uint32_t line_bytes);

// Lines that hold a selected element. An element that straddles two lines counts where it begins.
std::uint64_t lines_selected(const SelectedElements& selection, std::uint32_t line_bytes);

// Whether any selected element begins within `bytes` bytes from `address` on.
bool is_accessed(const SelectedElements& selection, std::uintptr_t address, std::uint64_t bytes);

// The lines of the 4096-byte page at `page` (an address, a multiple of 4096): bit i is set if its
// i-th 64 bytes hold a selected element.
std::uint64_t line_mask_of_page(const SelectedElements& selection, std::uintptr_t page);

}  // namespace hdbench::pmem
