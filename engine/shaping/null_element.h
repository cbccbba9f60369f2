// The null of a type as a result's element has it.
#pragma once

#include <array>
#include <cstddef>

#include "engine/column/domain.h"
#include "engine/column/type.h"

namespace hdbench {

using Element = std::array<std::byte, 16>;

// Symbols as codes of 8 bytes; lists as an empty string; of types without a null a zero. Requires:
// a domain for symbols.
Element null_element(QType type, const Domain* domain);

}  // namespace hdbench
