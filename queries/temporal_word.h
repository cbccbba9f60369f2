// Reads dates and times in q's notation: 2020.01.07, 2020.01m, 2020.01.07D09:30, 0D00:00:01,
// 09:30:00.123.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "engine/base/result.h"
#include "engine/column/type.h"

namespace hdbench::queries {

// Returns the temporal type that the word's format implies, or nothing if it implies none. Checks
// the format only: 2020.02.30 is a date here.
std::optional<QType> temporal_type(std::string_view word);

// Its value, as Atom holds it. Errors without a caret: no such day, no such time, out of range.
// Requires: temporal_type(word) == type.
Result<std::variant<std::int64_t, double>> read_temporal(std::string_view word, QType type);

}  // namespace hdbench::queries
