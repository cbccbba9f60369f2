#include "queries/literal/number_literal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "engine/column/calendar.h"
#include "engine/column/format_value.h"
#include "engine/column/order_key.h"
#include "queries/ascii.h"
#include "queries/literal/key_position.h"
#include "queries/literal/literal_parser.h"
#include "queries/types.h"

namespace hdbench::queries {
namespace {

using Value = std::variant<std::int64_t, double>;

// A time of day taken apart; fields that are not written are 0.
struct Clock {
  std::int64_t hours = 0;
  std::int64_t minutes = 0;
  std::int64_t seconds = 0;
  std::int64_t fraction_ns = 0;

  std::int64_t ns() const {
    return (hours * 3600 + minutes * 60 + seconds) * kNsPerSecond + fraction_ns;
  }
};

// How a clock is written: 09 is 1 field, 09:30 2, 09:30:00 3; decimals after the seconds.
struct ClockShape {
  int fields = 0;
  std::size_t decimals = 0;
  bool has_point = false;
};

std::optional<ClockShape> clock_shape(std::string_view text) {
  ClockShape shape;
  const std::size_t point = text.find('.');
  if (point != text.npos) {
    const std::string_view decimals = text.substr(point + 1);
    if (decimals.size() > 9 || (!decimals.empty() && !all_digits(decimals))) return std::nullopt;
    shape.has_point = true;
    shape.decimals = decimals.size();
    text = text.substr(0, point);
  }
  while (true) {
    const std::size_t colon = text.find(':');
    const std::string_view field = text.substr(0, colon);
    const std::size_t digits_max = shape.fields == 0 ? 3 : 2;
    if (!all_digits(field) || field.size() > digits_max) return std::nullopt;
    if (shape.fields > 0 && field.size() != 2) return std::nullopt;
    ++shape.fields;
    if (colon == text.npos) break;
    text = text.substr(colon + 1);
  }
  if (shape.fields > 3 || (shape.has_point && shape.fields != 3)) return std::nullopt;
  return shape;
}

std::int64_t to_integer(std::string_view digits) {
  std::int64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

// Requires: the text has a clock's shape, or is empty. Nothing where minutes or seconds pass 59.
std::optional<Clock> read_clock(std::string_view text) {
  Clock clock;
  const std::size_t point = text.find('.');
  if (point != text.npos) {
    std::string decimals(text.substr(point + 1));
    decimals.resize(9, '0');
    clock.fraction_ns = to_integer(decimals);
    text = text.substr(0, point);
  }
  for (std::int64_t* field : {&clock.hours, &clock.minutes, &clock.seconds}) {
    const std::size_t colon = text.find(':');
    *field = to_integer(text.substr(0, colon));
    if (colon == text.npos) break;
    text = text.substr(colon + 1);
  }
  if (clock.minutes > 59 || clock.seconds > 59) return std::nullopt;
  return clock;
}

bool is_date(std::string_view word) {
  return word.size() == 10 && word[4] == '.' && word[7] == '.' && all_digits(word.substr(0, 4)) &&
         all_digits(word.substr(5, 2)) && all_digits(word.substr(8, 2));
}

bool is_month(std::string_view word) {
  return word.size() == 8 && word[4] == '.' && word[7] == 'm' && all_digits(word.substr(0, 4)) &&
         all_digits(word.substr(5, 2));
}

std::optional<std::int64_t> read_date(std::string_view word) {
  const CivilDate date{to_integer(word.substr(0, 4)),
                       static_cast<int>(to_integer(word.substr(5, 2))),
                       static_cast<int>(to_integer(word.substr(8, 2)))};
  if (date.year == 0 || !is_civil_date(date)) return std::nullopt;
  return days_from_civil(date);
}

Error no_such(std::string_view word, std::string_view what) {
  return usage_error(fmt::format("{} is not a {}", word, what));
}

Error out_of_range(std::string_view word, QType type) {
  return usage_error(fmt::format("{} does not fit {}", word, a_type(type)));
}

// The letter that parts a date (or days) from a clock.
std::size_t separator(std::string_view word) { return word.find_first_of("DT"); }

Result<Value> read_instant(std::string_view word, QType type) {
  const std::size_t part = separator(word);
  const auto days = read_date(word.substr(0, part));
  if (!days) return no_such(word, "day of the calendar");
  const auto clock = read_clock(word.substr(part + 1));
  if (!clock || clock->hours > 23) return no_such(word, "time of day");
  const std::int64_t ns = clock->ns();
  if (type == QType::kDatetime) {
    const std::int64_t ms = ns / kNsPerMs;
    return Value(static_cast<double>(*days) +
                 static_cast<double>(ms) / static_cast<double>(kMsPerDay));
  }
  const auto value = timestamp_ns(*days, ns);
  if (!value || *value == kNullLong || *value == kInfinity || *value == -kInfinity) {
    return out_of_range(word, type);
  }
  return Value(*value);
}

// Timespans, times, seconds and minutes: they alone may be negative.
Result<Value> read_span(std::string_view word, QType type) {
  const bool is_negative = word.front() == '-';
  const std::string_view body = word.substr(is_negative ? 1 : 0);
  const std::size_t part = separator(body);
  const std::string_view days_text = part == body.npos ? "0" : body.substr(0, part);
  const std::string_view clock_text = part == body.npos ? body : body.substr(part + 1);
  const auto clock = read_clock(clock_text);
  if (!clock || (part != body.npos && clock->hours > 23)) return no_such(word, "time");
  std::int64_t value = 0;
  if (days_text.size() > 6 || __builtin_mul_overflow(to_integer(days_text), kNsPerDay, &value) ||
      __builtin_add_overflow(value, clock->ns(), &value)) {
    return out_of_range(word, type);
  }
  value /= span_unit_ns(type);
  const std::int64_t limit = type == QType::kTimespan ? kInfinity : kInfiniteInt;
  if (value >= limit) return out_of_range(word, type);
  return Value(is_negative ? -value : value);
}

std::optional<QType> clock_type(std::string_view text) {
  const auto shape = clock_shape(text);
  if (!shape || shape->fields == 1) return std::nullopt;
  if (shape->fields == 2) return QType::kMinute;
  if (!shape->has_point) return QType::kSecond;
  return shape->decimals <= 3 ? QType::kTime : QType::kTimespan;
}

// Returns the temporal type that the word's format implies, or nothing if it implies none. Checks
// the format only: 2020.02.30 is a date here.
std::optional<QType> temporal_type(std::string_view word) {
  const bool is_negative = !word.empty() && word.front() == '-';
  const std::string_view body = word.substr(is_negative ? 1 : 0);
  const std::size_t part = separator(body);
  if (part == body.npos) {
    if (is_date(body) && !is_negative) return QType::kDate;
    if (is_month(body) && !is_negative) return QType::kMonth;
    return clock_type(body);
  }
  const std::string_view left = body.substr(0, part);
  const std::string_view right = body.substr(part + 1);
  const auto clock = right.empty() ? ClockShape{} : clock_shape(right);
  if (!clock) return std::nullopt;
  if (is_date(left) && !is_negative) {
    if (body[part] == 'D') return QType::kTimestamp;
    return clock->decimals <= 3 ? std::optional(QType::kDatetime) : std::nullopt;
  }
  return all_digits(left) && body[part] == 'D' ? std::optional(QType::kTimespan) : std::nullopt;
}

// Its value, as Atom holds it. Errors without a caret: no such day, no such time, out of range.
// Requires: temporal_type(word) == type.
Result<Value> read_temporal(std::string_view word, QType type) {
  switch (type) {
    case QType::kDate: {
      const auto days = read_date(word);
      if (!days) return no_such(word, "day of the calendar");
      return Value(*days);
    }
    case QType::kMonth: {
      const std::int64_t year = to_integer(word.substr(0, 4));
      const std::int64_t month = to_integer(word.substr(5, 2));
      if (year == 0 || month < 1 || month > 12) return no_such(word, "month of the calendar");
      return Value((year - 2000) * 12 + month - 1);
    }
    case QType::kTimestamp:
    case QType::kDatetime: return read_instant(word, type);
    default: return read_span(word, type);
  }
}

// Whether a word of one temporal type is also one of the other, without rounding: a minute is a
// time, a date a timestamp.
bool can_refine(QType own, QType finer) {
  const bool is_day = own == QType::kDate;
  if (is_day) return finer == QType::kTimestamp || finer == QType::kDatetime;
  const bool is_span = family_of(own) == TypeFamily::kSpan;
  return is_span && family_of(finer) == TypeFamily::kSpan && own != finer &&
         span_unit_ns(own) > span_unit_ns(finer);
}

// 2020.01
bool is_bare_month(std::string_view word) {
  return word.size() == 7 && word[4] == '.' && all_digits(word.substr(0, 4)) &&
         all_digits(word.substr(5));
}

// What a word's shape says of its type.
struct Shape {
  enum Kind {
    kFree,       // 5, 0N, 0W: takes the type of its neighbours, long by itself
    kSoftFloat,  // 1.5, 1e5, 0n: a float, or a real where the last word says so
    kTyped,
    kBits,
    kBytes,
    kUnknown,
  };
  Kind kind = kUnknown;
  QType type = QType::kLong;
};

std::string_view without_sign(std::string_view word) {
  return word.substr(!word.empty() && word.front() == '-' ? 1 : 0);
}

bool is_special(std::string_view word) {
  const std::string_view body = without_sign(word);
  return (body.size() == 2 || body.size() == 3) && body[0] == '0' &&
         std::string_view("NnWw").find(body[1]) != body.npos;
}

// Booleans, bytes, chars and symbols have no suffix.
std::optional<QType> suffix_type(char suffix) {
  if (std::string_view("bxcs").find(suffix) != std::string_view::npos) return std::nullopt;
  return cast_type({&suffix, 1});
}

// 0N 0n 0W 0w, with a suffix or none.
Shape special_shape(std::string_view word) {
  const std::string_view body = without_sign(word);
  const bool is_negative = body.size() != word.size();
  const bool is_small = body[1] == 'n' || body[1] == 'w';
  const bool is_null_word = body[1] == 'n' || body[1] == 'N';
  if (is_negative && is_null_word) return {};
  if (body.size() == 2) {
    return is_small ? Shape{Shape::kSoftFloat, QType::kFloat} : Shape{Shape::kFree, QType::kLong};
  }
  const auto type = suffix_type(body[2]);
  if (!type || (is_small && !is_floating(*type))) return {};
  if (*type == QType::kGuid && body[1] != 'N') return {};
  return {Shape::kTyped, *type};
}

bool is_bits(std::string_view word) {
  return word.size() >= 2 && word.back() == 'b' && word.find_first_not_of("01") == word.size() - 1;
}

// Digits with a point, an exponent or a suffix; what is between is checked when it is read.
Shape decimal_shape(std::string_view word) {
  if (all_digits(without_sign(word))) return {Shape::kFree, QType::kLong};
  if (is_letter(word.back())) {
    const auto type = suffix_type(word.back());
    const bool is_number = type && (is_floating(*type) || *type == QType::kShort ||
                                    *type == QType::kInt || *type == QType::kLong);
    if (!is_number || *type == QType::kDatetime) return {};
    return {Shape::kTyped, *type};
  }
  return {Shape::kSoftFloat, QType::kFloat};
}

// 2020.01.07p, 09:30t, 2020.01.07d: a temporal word with the suffix of a finer type of its family,
// or of its own.
std::optional<QType> suffixed_temporal(std::string_view word) {
  const auto target = suffix_type(word.back());
  const auto own = temporal_type(word.substr(0, word.size() - 1));
  const bool fits = target && own && (*own == *target || can_refine(*own, *target));
  return fits ? target : std::nullopt;
}

Shape shape_of(std::string_view word) {
  if (word.substr(0, 2) == "0x") return {Shape::kBytes, QType::kByte};
  if (is_bits(word)) return {Shape::kBits, QType::kBoolean};
  if (is_special(word)) return special_shape(word);
  if (const auto type = temporal_type(word)) return {Shape::kTyped, *type};
  if (const auto type = suffixed_temporal(word)) return {Shape::kTyped, *type};
  return decimal_shape(word);
}

Error no_literal(const Token& word) {
  const std::size_t end = std::min(word.text.find_first_of("DTm"), word.text.size());
  const auto padded = padded_date(word.text.substr(0, end));
  const std::string instead = padded ? fmt::format(": months and days have two digits ({}{})",
                                                   *padded, word.text.substr(end))
                                     : "";
  return text_error(fmt::format("{} is no literal of q{}", word.text, instead), word.begin);
}

Error out_of_range(const Token& word, QType type) {
  return text_error(fmt::format("{} does not fit {}", word.text, a_type(type)), word.begin);
}

std::int64_t infinity_of(QType type) {
  switch (type) {
    case QType::kShort: return std::numeric_limits<std::int16_t>::max();
    case QType::kInt: return kInfiniteInt;
    default: return kInfinity;
  }
}

Result<Atom> read_special(const Token& word, QType type) {
  const bool is_negative = word.text.front() == '-';
  const char letter = without_sign(word.text)[1];
  const bool is_null_word = letter == 'N' || letter == 'n';
  if (type == QType::kGuid) {
    if (!is_null_word) return no_literal(word);
    return Atom{type, Guid{}, word.begin};
  }
  if (is_floating(type)) {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    const double infinite = is_negative ? -kInfinite : kInfinite;
    const double value = is_null_word ? std::numeric_limits<double>::quiet_NaN() : infinite;
    return Atom{type, value, word.begin};
  }
  const std::int64_t infinite = is_negative ? -infinity_of(type) : infinity_of(type);
  return Atom{type, is_null_word ? kNullLong : infinite, word.begin};
}

Result<Atom> read_decimal(const Token& word, QType type) {
  std::string_view digits = word.text;
  if (is_letter(digits.back())) digits.remove_suffix(1);
  double value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, code] = std::from_chars(digits.data(), end, value);
  if (stop != end || code == std::errc::invalid_argument) return no_literal(word);
  if (code == std::errc::result_out_of_range) return out_of_range(word, type);
  if (type == QType::kReal) {
    const auto narrow = static_cast<float>(value);
    if (std::isinf(narrow)) return out_of_range(word, type);
    value = static_cast<double>(narrow);
  }
  return Atom{type, value, word.begin};
}

Result<Atom> read_integer(const Token& word, QType type) {
  std::string_view digits = word.text;
  if (is_letter(digits.back())) digits.remove_suffix(1);
  if (!all_digits(without_sign(digits))) {
    return text_error(fmt::format("{} is not {}", word.text, a_type(type)), word.begin);
  }
  std::int64_t value = 0;
  const auto code = std::from_chars(digits.data(), digits.data() + digits.size(), value).ec;
  const std::int64_t limit = infinity_of(type);
  if (code != std::errc() || value < -limit || value > limit) return out_of_range(word, type);
  return Atom{type, value, word.begin};
}

// The type that a word implies which is read as this type: its own, or a coarser one. `2020.01` is
// a month where the last of its vector says so.
std::optional<QType> temporal_of(std::string_view word, QType type) {
  if (type == QType::kMonth && is_bare_month(word)) return type;
  for (const std::string_view part : {word, word.substr(0, word.size() - 1)}) {
    const auto own = temporal_type(part);
    if (own && (*own == type || can_refine(*own, type))) return own;
  }
  return std::nullopt;
}

Result<Atom> read_temporal_word(const Token& word, QType own, QType type) {
  std::string text = word.text;
  if (own == QType::kMonth && text.back() != 'm') text += 'm';
  if (temporal_type(text) != own) text.pop_back();
  const auto value = read_temporal(text, own);
  if (!value) return text_error(value.error().message, word.begin);
  Atom atom{own, std::int64_t{0}, word.begin};
  if (const auto* real = std::get_if<double>(&*value)) {
    atom.value = *real;
    return atom;
  }
  atom.value = std::get<std::int64_t>(*value);
  if (own == type) return atom;
  const KeyPosition position = place(type, atom);
  if (!position.exact) return out_of_range(word, type);
  const bool is_real = type == QType::kDatetime;
  atom.type = type;
  if (is_real) {
    atom.value = float_from_order_key(position.floor);
  } else {
    atom.value = position.floor;
  }
  return atom;
}

Result<Atom> read_word(const Token& word, QType type) {
  if (is_special(word.text)) return read_special(word, type);
  if (const auto own = temporal_of(word.text, type)) return read_temporal_word(word, *own, type);
  return is_floating(type) ? read_decimal(word, type) : read_integer(word, type);
}

// 0b is an atom, 101b a list.
Literal read_bits(const Token& word) {
  Literal literal{QType::kBoolean, word.text.size() > 2, {}, word.begin, word.end};
  for (std::size_t i = 0; i + 1 < word.text.size(); ++i) {
    const std::int64_t bit = word.text[i] - '0';
    literal.atoms.push_back({QType::kBoolean, bit, word.begin});
  }
  return literal;
}

// 0x1f is an atom, 0x1f2e a list, 0x an empty one; a missing first digit is 0, as in q.
Result<Literal> read_bytes(const Token& word) {
  std::string digits = word.text.substr(2);
  if (digits.size() % 2 == 1) digits.insert(digits.begin(), '0');
  Literal literal{QType::kByte, digits.size() != 2, {}, word.begin, word.end};
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const int high = hex_digit(digits[i]);
    const int low = hex_digit(digits[i + 1]);
    if (high < 0 || low < 0) return no_literal(word);
    literal.atoms.push_back({QType::kByte, std::int64_t{high * 16 + low}, word.begin});
  }
  return literal;
}

bool is_signed_number(QType type) {
  return type == QType::kShort || type == QType::kInt || type == QType::kLong ||
         type == QType::kReal || type == QType::kFloat;
}

// The type that all words of a vector take: the last word's own, else that of the first word that
// has one, else long.
QType type_of_all(std::span<const Shape> shapes) {
  if (shapes.back().kind == Shape::kTyped) return shapes.back().type;
  for (const Shape& shape : shapes) {
    if (shape.kind == Shape::kTyped) return shape.type;
  }
  for (const Shape& shape : shapes) {
    if (shape.kind == Shape::kSoftFloat) return QType::kFloat;
  }
  return QType::kLong;
}

// Whether a word of this shape can be a `type`.
bool fits(const Token& word, const Shape& shape, QType type) {
  switch (shape.kind) {
    case Shape::kFree: return is_signed_number(type) || is_special(word.text);
    case Shape::kSoftFloat:
      return is_signed_number(type) || (type == QType::kMonth && is_bare_month(word.text));
    case Shape::kTyped: return shape.type == type || can_refine(shape.type, type);
    default: return false;
  }
}

}  // namespace

Result<Literal> read_numbers(std::span<const Token> words) {
  std::vector<Shape> shapes;
  for (const Token& word : words) {
    shapes.push_back(shape_of(word.text));
    if (shapes.back().kind == Shape::kUnknown) return no_literal(word);
  }
  if (words.size() == 1 && shapes[0].kind == Shape::kBits) return read_bits(words[0]);
  if (words.size() == 1 && shapes[0].kind == Shape::kBytes) return read_bytes(words[0]);

  const QType type = type_of_all(shapes);
  Literal literal{type, words.size() > 1, {}, words.front().begin, words.back().end};
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!fits(words[i], shapes[i], type)) {
      return text_error(fmt::format("a vector has one type: {} is {}, not {}", words[i].text,
                                    a_type(shapes[i].type), a_type(type)),
                        words[i].begin);
    }
    HDB_ASSIGN(Atom atom, read_word(words[i], type));
    literal.atoms.push_back(std::move(atom));
  }
  return literal;
}

}  // namespace hdbench::queries
