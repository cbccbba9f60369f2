// Converts optional values to JSON: null where there is none.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

namespace hdbench::bench {

using Json = nlohmann::ordered_json;

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

}  // namespace hdbench::bench
