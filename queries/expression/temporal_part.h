// Parts of temporals: time.minute, date.month, `hh$time.
#pragma once

#include <optional>
#include <string_view>

#include "engine/column/type.h"
#include "engine/expression/expression.h"

namespace hdbench::queries {

// `name` as the part of a temporal of this type: an operation and the type that it gives (kCast:
// the temporal as another). Nothing: no such part.
struct TemporalPart {
  Operation operation = Operation::kCast;
  QType type = QType::kInt;
};
std::optional<TemporalPart> temporal_part(std::string_view name, QType type);

// Whether any temporal has a part of this name.
bool is_temporal_part(std::string_view name);

}  // namespace hdbench::queries
