// Converts optional values to JSON: null where there is none.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace hdbench {

using Json = nlohmann::ordered_json;

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

inline Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

}  // namespace hdbench
