// Formats types for messages.
#pragma once

#include <string>
#include <string_view>

#include "engine/column/type.h"

namespace hdbench::queries {

// "a long", "an int".
inline std::string a_type(QType type) {
  const std::string_view name = type_name(type);
  return std::string(name.front() == 'i' ? "an " : "a ").append(name);
}

}  // namespace hdbench::queries
