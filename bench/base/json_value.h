// JSON values whose fields keep their order, and their text.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace hdbench::bench {

using Json = nlohmann::ordered_json;

// Null where there is no value.
template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

// Indented by two, with a newline at its end. Names of the machine that are not UTF-8 are shown as
// far as they are.
inline std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace hdbench::bench
