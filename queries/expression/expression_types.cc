#include "queries/expression/expression_types.h"

#include <algorithm>
#include <array>

#include "queries/types.h"

namespace hdbench::queries {
namespace {

QType wider(QType x, QType y) { return std::max(wide_number(x), wide_number(y)); }

QType finer(QType x, QType y) { return span_unit_ns(x) <= span_unit_ns(y) ? x : y; }

// Instants: a month counts as its first day.
QType finer_instant(QType x, QType y) {
  for (const QType type : {QType::kTimestamp, QType::kDatetime, QType::kDate}) {
    if (x == type || y == type) return type;
  }
  return QType::kMonth;
}

// An instant moved by a span, or a temporal by a number of its units.
std::optional<PairTypes> moved(QType x, QType y) {
  if (x == QType::kDatetime && is_a_number(y)) return PairTypes{x, QType::kFloat, x};
  if (is_temporal(x) && x != QType::kDatetime && is_a_number(y) && !is_floating(y)) {
    return PairTypes{x, bits_of(x), x};
  }
  const bool is_day = x == QType::kDate || x == QType::kTimestamp;
  if (is_day && is_span(y)) {
    return PairTypes{QType::kTimestamp, QType::kTimespan, QType::kTimestamp};
  }
  return std::nullopt;
}

std::optional<PairTypes> add_types(QType x, QType y) {
  if (is_span(x) && is_span(y)) return PairTypes{finer(x, y), finer(x, y), finer(x, y)};
  if (const auto types = moved(x, y)) return types;
  if (const auto types = moved(y, x)) return PairTypes{types->right, types->left, types->result};
  return std::nullopt;
}

std::optional<PairTypes> subtract_types(QType x, QType y) {
  if (is_span(x) && is_span(y)) return PairTypes{finer(x, y), finer(x, y), finer(x, y)};
  if (is_instant(x) && is_instant(y)) {
    const QType type = finer_instant(x, y);
    const QType result = type == QType::kTimestamp  ? QType::kTimespan
                         : type == QType::kDatetime ? QType::kFloat
                                                    : QType::kInt;
    return PairTypes{type, type, result};
  }
  return moved(x, y);
}

std::optional<PairTypes> multiply_types(QType x, QType y) {
  const auto scaled = [](QType span, QType number) {
    return is_span(span) && is_a_number(number) && !is_floating(number);
  };
  if (scaled(x, y)) return PairTypes{x, bits_of(x), x};
  if (scaled(y, x)) return PairTypes{bits_of(y), y, y};
  return std::nullopt;
}

// x div y, x mod y.
std::optional<PairTypes> quotient_types(Operation operation, QType x, QType y) {
  const bool is_rest = operation == Operation::kModulo;
  if (is_span(x) && is_span(y)) {
    const QType type = finer(x, y);
    return PairTypes{type, type, is_rest ? type : bits_of(type)};
  }
  const bool counts = is_temporal(x) && x != QType::kDatetime && is_a_number(y) && !is_floating(y);
  if (!counts) return std::nullopt;
  return PairTypes{x, bits_of(x), is_rest ? x : bits_of(x)};
}

// The right side decides: a width in its unit, or a span.
std::optional<PairTypes> bar_types(QType width, QType x) {
  if (is_a_number(width) && is_a_number(x)) {
    const QType type = wider(width, x);
    return PairTypes{type, type, is_floating(type) ? type : wide_number(x)};
  }
  if (x == QType::kDatetime || !is_temporal(x)) return std::nullopt;
  if (is_a_number(width) && !is_floating(width)) return PairTypes{bits_of(x), x, x};
  if (!is_span(width)) return std::nullopt;
  if (x == QType::kTimestamp) return PairTypes{QType::kTimespan, x, x};
  if (!is_span(x)) return std::nullopt;
  const QType type = finer(width, x);
  return PairTypes{type, type, x};
}

struct PartWord {
  std::string_view name;
  Operation operation;
  QType type;
  bool of_instants;
  bool of_spans;  // and of the time of an instant's day, where it has one
};

// mm is the month of an instant and the minute of a span, as in q.
constexpr std::array kPartWords = {
    PartWord{"date", Operation::kCast, QType::kDate, true, false},
    PartWord{"month", Operation::kCast, QType::kMonth, true, false},
    PartWord{"timestamp", Operation::kCast, QType::kTimestamp, true, false},
    PartWord{"datetime", Operation::kCast, QType::kDatetime, true, false},
    PartWord{"week", Operation::kBar, QType::kDate, true, false},
    PartWord{"minute", Operation::kCast, QType::kMinute, false, true},
    PartWord{"second", Operation::kCast, QType::kSecond, false, true},
    PartWord{"time", Operation::kCast, QType::kTime, false, true},
    PartWord{"timespan", Operation::kCast, QType::kTimespan, false, true},
    PartWord{"year", Operation::kYear, QType::kInt, true, false},
    PartWord{"mm", Operation::kMonthOfYear, QType::kInt, true, false},
    PartWord{"dd", Operation::kDayOfMonth, QType::kInt, true, false},
    PartWord{"hh", Operation::kHour, QType::kInt, false, true},
    PartWord{"uu", Operation::kMinuteOfHour, QType::kInt, false, true},
    PartWord{"mm", Operation::kMinuteOfHour, QType::kInt, false, true},
    PartWord{"ss", Operation::kSecondOfMinute, QType::kInt, false, true},
};

}  // namespace

QType wide_number(QType type) { return std::max(type, QType::kInt); }

QType bits_of(QType type) { return type_width(type) == 8 ? QType::kLong : QType::kInt; }

std::optional<PairTypes> arithmetic_types(Operation operation, QType x, QType y) {
  if (operation == Operation::kBar) return bar_types(x, y);
  if (is_a_number(x) && is_a_number(y)) {
    return PairTypes{wider(x, y), wider(x, y), wider(x, y)};
  }
  switch (operation) {
    case Operation::kAdd: return add_types(x, y);
    case Operation::kSubtract: return subtract_types(x, y);
    case Operation::kMultiply: return multiply_types(x, y);
    case Operation::kIntegerDivide:
    case Operation::kModulo: return quotient_types(operation, x, y);
    default: return std::nullopt;
  }
}

std::optional<QType> comparable_type(QType x, QType y) {
  if (x == QType::kTimestamp && is_span(y)) return y;
  if (y == QType::kTimestamp && is_span(x)) return x;
  const auto counts = [](QType temporal, QType number) {
    return is_temporal(temporal) && temporal != QType::kDatetime && is_integer(number);
  };
  if (counts(x, y)) return wider(bits_of(x), y);
  if (counts(y, x)) return wider(bits_of(y), x);
  return common_type(x, y);
}

std::optional<QType> common_type(QType x, QType y) {
  const TypeFamily family = family_of(x);
  const bool has_pairs =
      family != TypeFamily::kList && family != TypeFamily::kGuid && family != TypeFamily::kSymbol;
  if (!has_pairs || family != family_of(y)) return std::nullopt;
  if (x == y) return x;
  if (family == TypeFamily::kNumber) return wider(x, y);
  return family == TypeFamily::kSpan ? finer(x, y) : finer_instant(x, y);
}

bool can_cast(QType from, QType to) {
  const auto has_value = [](QType type) { return is_a_number(type) || is_temporal(type); };
  if (!has_value(from) || !has_value(to)) return false;
  if (is_instant(from) && is_span(to)) {
    return from == QType::kTimestamp || from == QType::kDatetime;
  }
  return !(is_span(from) && is_instant(to));
}

std::optional<TemporalPart> temporal_part(std::string_view name, QType type) {
  const bool has_time = is_span(type) || type == QType::kTimestamp || type == QType::kDatetime;
  for (const PartWord& word : kPartWords) {
    const bool is_there = (word.of_instants && is_instant(type)) || (word.of_spans && has_time);
    if (word.name == name && is_there) return TemporalPart{word.operation, word.type};
  }
  return std::nullopt;
}

std::string temporal_parts(QType type) {
  std::string names = " ";
  for (const PartWord& word : kPartWords) {
    const std::string name = std::string(word.name) + " ";
    if (temporal_part(word.name, type) && names.find(" " + name) == std::string::npos)
      names += name;
  }
  return names.substr(1, std::max<std::size_t>(names.size(), 2) - 2);
}

bool is_temporal_part(std::string_view name) {
  return std::any_of(kPartWords.begin(), kPartWords.end(),
                     [&](const PartWord& word) { return word.name == name; });
}

}  // namespace hdbench::queries
