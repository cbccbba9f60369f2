#include "engine/testing/row_evaluator.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "engine/column/calendar.h"
#include "engine/kernel/like.h"

namespace hdbench {
namespace {

__extension__ typedef __int128 Int128;

std::int64_t least(QType type) {
  return -(std::int64_t{1} << (8 * std::min(type_width(type), 8u) - 2)) * 2;
}
bool has_integer_null(QType type) {
  return !is_floating(type) && type_width(type) > 1 && type_width(type) <= 8 &&
         type != QType::kSymbol;
}

RowValue null_value(QType type) {
  RowValue value{type, 0, 0, ""};
  if (is_floating(type)) value.number = std::nan("");
  if (has_integer_null(type)) value.integer = least(type);
  if (type == QType::kGuid) value.text = std::string(16, '\0');
  return value;
}

RowValue whole(QType type, Int128 value) {
  RowValue result{type, static_cast<std::int64_t>(value), 0, ""};
  if (type_width(type) == 1) result.integer = static_cast<std::uint8_t>(value);
  if (type_width(type) == 2) result.integer = static_cast<std::int16_t>(value);
  if (type_width(type) == 4) result.integer = static_cast<std::int32_t>(value);
  if (type == QType::kChar) result.text = static_cast<char>(result.integer);
  return result;
}

RowValue floating(QType type, double value) {
  return {type, 0, type == QType::kReal ? static_cast<double>(static_cast<float>(value)) : value,
          ""};
}

RowValue boolean(bool value) { return whole(QType::kBoolean, value); }

Int128 floor_divide(Int128 x, Int128 y) {
  const Int128 quotient = x / y;
  return x % y != 0 && (x < 0) != (y < 0) ? quotient - 1 : quotient;
}

// -1, 0, 1; nulls first, and equal.
int compare(const RowValue& a, const RowValue& b) {
  if (a.type == QType::kGuid) return a.text == b.text ? 0 : 1;
  if (!is_floating(a.type)) return a.integer < b.integer ? -1 : a.integer > b.integer;
  if (a.is_null() || b.is_null()) return a.is_null() && b.is_null() ? 0 : a.is_null() ? -1 : 1;
  return a.number < b.number ? -1 : a.number > b.number;
}

// The integer nearest to a float, halves up; what is too large as an infinity.
RowValue rounded(QType type, long double value) {
  if (std::isnan(value)) return type_width(type) == 1 ? whole(type, 0) : null_value(type);
  const QType bound_type = type_width(type) == 1 ? QType::kInt : type;
  const long double most = static_cast<long double>(-(least(bound_type) + 1));
  const long double nearest = std::floor(value + 0.5L);
  return whole(type, static_cast<Int128>(std::clamp(nearest, -most, most)));
}

template <typename T>
double pair_of_floats(Operation operation, T a, T b) {
  switch (operation) {
    case Operation::kAdd: return static_cast<double>(static_cast<T>(a + b));
    case Operation::kSubtract: return static_cast<double>(static_cast<T>(a - b));
    case Operation::kMultiply: return static_cast<double>(static_cast<T>(a * b));
    case Operation::kDivide: return static_cast<double>(static_cast<T>(a / b));
    case Operation::kBar: {
      const T whole_bars = std::floor(static_cast<T>(b / a));
      return static_cast<double>(a == 0 ? b : static_cast<T>(a * whole_bars));
    }
    case Operation::kIntegerDivide:
      return b == 0 ? std::nan("") : static_cast<double>(std::floor(static_cast<T>(a / b)));
    default: {
      const T multiple = b * std::floor(static_cast<T>(a / b));
      return static_cast<double>(b == 0 ? a : static_cast<T>(a - multiple));
    }
  }
}

RowValue pair_of_integers(Operation operation, const RowValue& a, const RowValue& b) {
  const Int128 x = a.integer;
  const Int128 y = b.integer;
  const bool divides_by_zero =
      (operation == Operation::kBar && x == 0) || (operation == Operation::kModulo && y == 0);
  if (divides_by_zero) return operation == Operation::kBar ? b : a;
  if (operation == Operation::kIntegerDivide && y == 0) return null_value(a.type);
  if (a.is_null() || b.is_null()) return null_value(a.type);
  switch (operation) {
    case Operation::kAdd: return whole(a.type, x + y);
    case Operation::kSubtract: return whole(a.type, x - y);
    case Operation::kMultiply: return whole(a.type, x * y);
    case Operation::kBar: return whole(a.type, floor_divide(y, x) * x);
    case Operation::kIntegerDivide: return whole(a.type, floor_divide(x, y));
    default: return whole(a.type, x - floor_divide(x, y) * y);
  }
}

std::optional<RowValue> pair_value(const ExpressionNode& node, const RowValue& a, const RowValue& b,
                                   bool b_is_null) {
  switch (node.operation) {
    case Operation::kLesser: return compare(b, a) < 0 ? b : a;
    case Operation::kGreater: return compare(a, b) < 0 ? b : a;
    case Operation::kFill: return b_is_null ? a : b;
    case Operation::kAnd: return boolean(a.integer != 0 && b.integer != 0);
    case Operation::kOr: return boolean(a.integer != 0 || b.integer != 0);
    case Operation::kEqual: return boolean(compare(a, b) == 0);
    case Operation::kNotEqual: return boolean(compare(a, b) != 0);
    case Operation::kLess: return boolean(compare(a, b) < 0);
    case Operation::kLessEqual: return boolean(compare(a, b) <= 0);
    case Operation::kGreaterThan: return boolean(compare(a, b) > 0);
    case Operation::kGreaterEqual: return boolean(compare(a, b) >= 0);
    case Operation::kAdd:
    case Operation::kSubtract:
    case Operation::kMultiply:
    case Operation::kBar:
    case Operation::kIntegerDivide:
    case Operation::kModulo:
    case Operation::kDivide: break;
    default: return std::nullopt;
  }
  if (!is_floating(a.type)) return pair_of_integers(node.operation, a, b);
  if (a.type != QType::kReal)
    return floating(node.type, pair_of_floats(node.operation, a.number, b.number));
  return floating(node.type, pair_of_floats(node.operation, static_cast<float>(a.number),
                                            static_cast<float>(b.number)));
}

constexpr std::int64_t kNsOfDay = std::int64_t{86400} * 1'000'000'000;

std::int64_t ns_of_unit(QType type) {
  switch (type) {
    case QType::kDate: return kNsOfDay;
    case QType::kMinute: return kNsOfDay / 1440;
    case QType::kSecond: return kNsOfDay / 86400;
    case QType::kTime: return kNsOfDay / 86400000;
    default: return 1;
  }
}

RowValue as_type(const RowValue& a, QType to);

// Since 2000.01.01, or of a duration: 64 bits, which wrap.
std::int64_t nanoseconds_of(const RowValue& a) {
  if (a.type == QType::kMonth) return nanoseconds_of(as_type(a, QType::kDate));
  if (a.type == QType::kDatetime)
    return static_cast<std::int64_t>(Int128{rounded(QType::kLong, a.number * 86400000).integer} *
                                     1000000);
  return static_cast<std::int64_t>(Int128{a.integer} * ns_of_unit(a.type));
}

RowValue limited(QType type, Int128 value) {
  const Int128 most = -(Int128{least(type)} + 1);
  return whole(type, std::clamp<Int128>(value, -most, most));
}

RowValue temporal_as(const RowValue& a, QType to) {
  const auto is_short = [](QType type) {
    return type == QType::kTime || type == QType::kSecond || type == QType::kMinute;
  };
  if (is_short(a.type) && is_short(to)) {
    const std::int64_t from_ns = ns_of_unit(a.type);
    const std::int64_t to_ns = ns_of_unit(to);
    if (from_ns >= to_ns) return whole(to, Int128{a.integer} * (from_ns / to_ns));
    return whole(to, floor_divide(a.integer, to_ns / from_ns));
  }
  if (to == QType::kMonth) {
    const CivilDate date = civil_from_days(as_type(a, QType::kDate).integer);
    return whole(to, (date.year - 2000) * 12 + date.month - 1);
  }
  if (a.type == QType::kMonth && to == QType::kDate) {
    const auto years = static_cast<std::int64_t>(floor_divide(a.integer, 12));
    const int month = static_cast<int>(a.integer - 12 * years) + 1;
    return limited(to, days_from_civil({2000 + years, month, 1}));
  }
  if (to == QType::kDatetime) {
    if (a.type == QType::kMonth) return temporal_as(as_type(a, QType::kDate), to);
    if (a.type == QType::kDate) return floating(to, static_cast<double>(a.integer));
    const double ns = static_cast<double>(nanoseconds_of(a));
    return floating(to, ns / static_cast<double>(kNsOfDay));
  }
  Int128 ns = nanoseconds_of(a);
  if (is_instant(a.type) && !is_instant(to)) ns -= floor_divide(ns, kNsOfDay) * kNsOfDay;
  return limited(to, floor_divide(ns, ns_of_unit(to)));
}

RowValue as_type(const RowValue& a, QType to) {
  if (a.type == to) return a;
  const bool has_value = is_floating(a.type) ? a.number != 0 : a.integer != 0;
  if (to == QType::kBoolean) return boolean(has_value);
  const bool can_be_null = is_floating(a.type) || has_integer_null(a.type);
  if (can_be_null && a.is_null() && type_width(to) > 1) return null_value(to);
  if (is_temporal(a.type) && is_temporal(to)) return temporal_as(a, to);
  if (is_floating(to)) {
    return floating(to, is_floating(a.type)  ? a.number
                        : to == QType::kReal ? static_cast<double>(static_cast<float>(a.integer))
                                             : static_cast<double>(a.integer));
  }
  if (is_floating(a.type)) return rounded(to, a.number);
  return type_width(to) == 1 ? whole(to, a.integer) : limited(to, a.integer);
}

RowValue part_of(Operation operation, const RowValue& a) {
  if (a.is_null()) return null_value(QType::kInt);
  const auto part = [](Int128 value) { return whole(QType::kInt, value); };
  const auto wrapped = [](std::int64_t value) { return static_cast<std::int32_t>(value); };
  switch (operation) {
    case Operation::kYear: return part(floor_divide(as_type(a, QType::kMonth).integer, 12) + 2000);
    case Operation::kMonthOfYear: {
      const std::int64_t month = as_type(a, QType::kMonth).integer;
      return part(month - floor_divide(month, 12) * 12 + 1);
    }
    case Operation::kDayOfMonth: {
      const RowValue date = as_type(a, QType::kDate);
      const RowValue first = as_type(as_type(date, QType::kMonth), QType::kDate);
      return part(wrapped(date.integer - first.integer) + 1);
    }
    case Operation::kHour: return part(floor_divide(as_type(a, QType::kMinute).integer, 60));
    case Operation::kMinuteOfHour: {
      const std::int64_t minute = as_type(a, QType::kMinute).integer;
      return part(minute - floor_divide(minute, 60) * 60);
    }
    default: {
      const std::int64_t second = as_type(a, QType::kSecond).integer;
      return part(second - floor_divide(second, 60) * 60);
    }
  }
}

RowValue floor_or_ceiling(Operation operation, const RowValue& a) {
  if (!is_floating(a.type)) return as_type(a, QType::kLong);
  return rounded(QType::kLong,
                 operation == Operation::kFloor ? std::floor(a.number) : std::ceil(a.number));
}

std::int64_t key_of_value(const RowValue& a) {
  if (!is_floating(a.type)) return a.integer;
  if (std::isnan(a.number)) return std::numeric_limits<std::int64_t>::min();
  const auto magnitude = std::bit_cast<std::int64_t>(std::abs(a.number));
  return a.number < 0 ? ~magnitude : magnitude;
}

// The element with this order key, or the symbol with this code.
RowValue element_of_key(const ExpressionNode& node, std::int64_t key) {
  if (node.type == QType::kSymbol) {
    return {node.type, key, 0, std::string(node.domain->text(static_cast<std::size_t>(key)))};
  }
  if (!is_floating(node.type)) return whole(node.type, key);
  if (key == std::numeric_limits<std::int64_t>::min()) return null_value(node.type);
  return floating(node.type, key < 0 ? -std::bit_cast<double>(~key) : std::bit_cast<double>(key));
}

RowValue unary_value(const ExpressionNode& node, const RowValue& a, bool a_is_null) {
  const bool is_float = is_floating(a.type);
  switch (node.operation) {
    case Operation::kNegate:
      if (is_float) return floating(a.type, -a.number);
      return a_is_null ? a : whole(a.type, -Int128{a.integer});
    case Operation::kAbsolute:
      if (is_float) return floating(a.type, std::abs(a.number));
      return a_is_null || a.integer >= 0 ? a : whole(a.type, -Int128{a.integer});
    case Operation::kSquareRoot: return floating(node.type, std::sqrt(a.number));
    case Operation::kExponential: return floating(node.type, std::exp(a.number));
    case Operation::kLogarithm: return floating(node.type, std::log(a.number));
    case Operation::kReciprocal: return floating(node.type, 1 / a.number);
    case Operation::kFloor:
    case Operation::kCeiling: return floor_or_ceiling(node.operation, a);
    case Operation::kSignum: {
      const bool is_negative = a_is_null || (is_float ? a.number < 0 : a.integer < 0);
      return whole(QType::kInt, is_negative ? -1 : (is_float ? a.number > 0 : a.integer > 0));
    }
    case Operation::kNot: return boolean(is_float ? a.number == 0 : a.integer == 0);
    case Operation::kIsNull: return boolean(a_is_null);
    case Operation::kCast: return as_type(a, node.type);
    case Operation::kInSet:
      return boolean(std::count(node.set.begin(), node.set.end(), key_of_value(a)) != 0);
    case Operation::kLike: return boolean(like(a.text, node.pattern));
    case Operation::kItemCount: return whole(QType::kLong, a.integer);
    case Operation::kPlace:
    case Operation::kBin: {
      std::int64_t place = -1;
      for (std::size_t i = 0; i < node.set.size(); ++i) {
        const bool is_it = node.operation == Operation::kBin ? node.set[i] <= key_of_value(a)
                                                             : node.set[i] == key_of_value(a);
        if (is_it) place = static_cast<std::int64_t>(i);
      }
      return whole(QType::kLong, place);
    }
    case Operation::kPick: {
      const bool is_within =
          a.integer >= 0 && a.integer < static_cast<std::int64_t>(node.set.size());
      return element_of_key(
          node, is_within ? node.set[static_cast<std::size_t>(a.integer)] : node.set.back());
    }
    default: return part_of(node.operation, a);
  }
}

}  // namespace

bool RowValue::is_null() const {
  if (is_floating(type)) return std::isnan(number);
  if (type == QType::kChar) return integer == ' ';
  if (type == QType::kGuid) return text == std::string(16, '\0');
  return has_integer_null(type) && integer == least(type);
}

RowValue row_value(QType type, const std::byte* element) {
  RowValue value{type, 0, 0, ""};
  if (type == QType::kReal) {
    float number = 0;
    std::memcpy(&number, element, sizeof(number));
    value.number = static_cast<double>(number);
  } else if (is_floating(type)) {
    std::memcpy(&value.number, element, sizeof(value.number));
  } else if (type == QType::kGuid) {
    value.text.assign(reinterpret_cast<const char*>(element), 16);
  } else {
    std::int64_t bits = 0;
    std::memcpy(&bits, element, type_width(type));
    value = whole(type, bits);
  }
  return value;
}

std::string element_of(const RowValue& value) {
  std::string bytes(type_width(value.type), '\0');
  const auto real = static_cast<float>(value.number);
  if (value.type == QType::kGuid) return value.text;
  if (value.type == QType::kReal) {
    std::memcpy(bytes.data(), &real, sizeof(real));
  } else if (is_floating(value.type)) {
    std::memcpy(bytes.data(), &value.number, sizeof(value.number));
  } else {
    std::memcpy(bytes.data(), &value.integer, bytes.size());  // little-endian
  }
  return bytes;
}

RowValue evaluate_row(const Expression& expression,
                      const std::function<RowValue(std::size_t field)>& field,
                      std::int64_t row_number) {
  std::vector<RowValue> values;
  const auto is_null = [&](const RowValue& value) {
    return value.type == QType::kSymbol ? value.text.empty() : value.is_null();
  };
  for (const ExpressionNode& node : expression.nodes) {
    if (node.operation == Operation::kField) {
      values.push_back(field(node.field));
    } else if (node.operation == Operation::kConstant) {
      values.push_back(row_value(node.type, node.constant.data()));
      if (node.domain != nullptr) values.back() = element_of_key(node, values.back().integer);
    } else if (node.operation == Operation::kRow) {
      values.push_back(whole(QType::kLong, row_number));
    } else if (node.operation == Operation::kChoose) {
      const bool is_first = values[node.arguments[0]].integer != 0;
      values.push_back(values[node.arguments[is_first ? 1 : 2]]);
    } else {
      const RowValue& a = values[node.arguments[0]];
      const RowValue& b = values[node.arguments[1]];
      auto value = pair_value(node, a, b, is_null(b));
      values.push_back(value ? *value : unary_value(node, a, is_null(a)));
    }
  }
  return values.back();
}

}  // namespace hdbench
