// Which types an expression's functions take, and what comes of them.
//
// Numbers: boolean, byte, short and int are ints, otherwise the wider of the two counts, in the
// order int, long, real, float. Temporals: instants (month, date, datetime, timestamp) and spans
// (minute, second, time, timespan), of which the finer counts. An integer beside a temporal counts
// in that temporal's unit.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/column/type.h"
#include "engine/expression/expression.h"
#include "queries/types.h"

namespace hdbench::queries {

// What the arguments of a pair become before it, and what it gives.
struct PairTypes {
  QType left = QType::kLong;
  QType right = QType::kLong;
  QType result = QType::kLong;

  bool operator==(const PairTypes&) const = default;
};

// kAdd to kModulo but for kFill and kDivide, which have rules of their own. Nothing: 'type.
std::optional<PairTypes> arithmetic_types(Operation operation, QType x, QType y);

// One type for two values that are compared: a timestamp beside a span is the span of its day.
std::optional<QType> comparable_type(QType x, QType y);

// One type for two values of which one is the result (? ^ & |).
std::optional<QType> common_type(QType x, QType y);

// The number that a number's arithmetic is in: at least an int.
QType wide_number(QType type);

// The int or long that has an integral temporal's bits.
QType bits_of(QType type);

// Whether `to`$x is there for an x of type `from`.
bool can_cast(QType from, QType to);

// `name` as the part of a temporal of this type: an operation and the type that it gives (kCast:
// the temporal as another; kBar: the Monday of its week). Nothing: no such part.
struct TemporalPart {
  Operation operation = Operation::kCast;
  QType type = QType::kInt;
};
std::optional<TemporalPart> temporal_part(std::string_view name, QType type);

// The names of all parts that a type has.
std::string temporal_parts(QType type);

// Whether any temporal has a part of this name.
bool is_temporal_part(std::string_view name);

}  // namespace hdbench::queries
