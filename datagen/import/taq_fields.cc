#include "datagen/import/taq_fields.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "engine/column/calendar.h"
#include "engine/column/type.h"

namespace hdbench::datagen {
namespace {

constexpr std::size_t kClockDigits = 6;  // HHMMSS
constexpr std::size_t kFractionDigitsMax = 9;
constexpr std::size_t kDateDigits = 8;

std::string_view without_blanks(std::string_view field) {
  while (!field.empty() && field.front() == ' ') field.remove_prefix(1);
  while (!field.empty() && field.back() == ' ') field.remove_suffix(1);
  return field;
}

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

bool is_printable_ascii(char letter) { return letter >= ' ' && letter <= '~'; }

// The number of all digits of a text that has no more than its caller lets it; nothing: another
// character.
std::optional<std::int64_t> digits_value(std::string_view digits) {
  std::int64_t value = 0;
  for (const char digit : digits) {
    if (!is_digit(digit)) return std::nullopt;
    value = value * 10 + (digit - '0');
  }
  return value;
}

bool is_zero_fraction(std::string_view rest) {
  return rest.size() > 1 && rest.front() == '.' &&
         rest.find_first_not_of('0', 1) == std::string_view::npos;
}

template <class Whole>
std::optional<Whole> whole_of(std::string_view field, Whole null) {
  const std::string_view digits = without_blanks(field);
  if (digits.empty()) return null;
  Whole value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [last, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc{} || !is_digit(digits.front())) return std::nullopt;
  if (last != end && !is_zero_fraction({last, end})) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::int64_t> taq_time(std::string_view field) {
  const std::string_view digits = without_blanks(field);
  if (digits.empty()) return kNullLong;
  if (digits.size() <= kClockDigits || digits.size() > kClockDigits + kFractionDigitsMax ||
      digits.size() % 3 != 0) {
    return std::nullopt;
  }
  const auto value = digits_value(digits);
  if (!value) return std::nullopt;
  std::int64_t second_parts = 1;
  std::int64_t part_ns = 1'000'000'000;
  for (std::size_t digit = kClockDigits; digit < digits.size(); ++digit) {
    second_parts *= 10;
    part_ns /= 10;
  }
  const std::int64_t clock = *value / second_parts;
  const std::int64_t hours = clock / 10'000;
  const std::int64_t minutes = clock / 100 % 100;
  const std::int64_t seconds = clock % 100;
  if (hours >= 24 || minutes >= 60 || seconds >= 60) return std::nullopt;
  return ((hours * 60 + minutes) * 60 + seconds) * 1'000'000'000 + *value % second_parts * part_ns;
}

std::optional<std::int16_t> taq_short(std::string_view field) {
  return whole_of<std::int16_t>(field, kNullShort);
}

std::optional<std::int32_t> taq_int(std::string_view field) {
  return whole_of<std::int32_t>(field, kNullInt);
}

std::optional<std::int64_t> taq_long(std::string_view field) {
  return whole_of<std::int64_t>(field, kNullLong);
}

template <class Price>
std::optional<Price> taq_price(std::string_view field) {
  const std::string_view digits = without_blanks(field);
  if (digits.empty()) return std::numeric_limits<Price>::quiet_NaN();
  Price value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [last, error] = std::from_chars(digits.data(), end, value, std::chars_format::fixed);
  if (error != std::errc{} || last != end) return std::nullopt;
  if (!std::isfinite(value) || std::signbit(value)) return std::nullopt;
  return value;
}

template std::optional<float> taq_price<float>(std::string_view field);
template std::optional<double> taq_price<double>(std::string_view field);

bool loses_digits(std::string_view field, float real) {
  // So few digits every real keeps.
  constexpr std::size_t kKept = std::numeric_limits<float>::digits10;
  if (field.size() <= kKept) return false;
  std::string_view digits = without_blanks(field);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  while (digits.size() > point && digits.back() == '0') digits.remove_suffix(1);
  const std::size_t places = digits.size() > point ? digits.size() - point - 1 : 0;
  if (point + places <= kKept) return false;
  double price = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), price, std::chars_format::fixed);
  constexpr double kUnitsOfReals = 1 << std::numeric_limits<float>::digits;
  const double units_of_one = std::pow(10.0, static_cast<double>(places));
  const double units = std::nearbyint(price * units_of_one);
  return double{real} != price &&
         (units > kUnitsOfReals || std::nearbyint(double{real} * units_of_one) != units);
}

std::optional<char> taq_letter(std::string_view field) {
  const std::string_view letter = without_blanks(field);
  if (letter.empty()) return ' ';
  if (letter.size() != 1 || !is_printable_ascii(letter.front())) return std::nullopt;
  return letter.front();
}

std::optional<std::string_view> taq_text(std::string_view field) {
  const std::string_view text = without_blanks(field);
  if (text.size() > kTextBytesMax) return std::nullopt;
  if (!std::all_of(text.begin(), text.end(), is_printable_ascii)) return std::nullopt;
  return text;
}

std::optional<std::int32_t> taq_date(std::string_view digits) {
  constexpr std::int64_t kYearMin = 1990;
  constexpr std::int64_t kYearMax = 2099;
  if (digits.size() != kDateDigits) return std::nullopt;
  const auto value = digits_value(digits);
  if (!value) return std::nullopt;
  const CivilDate date{*value / 10'000, static_cast<int>(*value / 100 % 100),
                       static_cast<int>(*value % 100)};
  if (date.year < kYearMin || date.year > kYearMax || !is_civil_date(date)) return std::nullopt;
  return static_cast<std::int32_t>(days_from_civil(date));
}

}  // namespace hdbench::datagen
