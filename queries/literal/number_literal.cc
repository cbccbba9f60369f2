#include "queries/literal/number_literal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/column/format_value.h"
#include "engine/column/order_key.h"
#include "queries/ascii.h"
#include "queries/literal/key_position.h"
#include "queries/temporal_word.h"
#include "queries/time_units.h"
#include "queries/type_family.h"
#include "queries/type_text.h"
namespace hdbench::queries {
namespace {

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

std::optional<QType> suffix_type(char suffix) {
  switch (suffix) {
    case 'h': return QType::kShort;
    case 'i': return QType::kInt;
    case 'j': return QType::kLong;
    case 'e': return QType::kReal;
    case 'f': return QType::kFloat;
    case 'p': return QType::kTimestamp;
    case 'm': return QType::kMonth;
    case 'd': return QType::kDate;
    case 'z': return QType::kDatetime;
    case 'n': return QType::kTimespan;
    case 'u': return QType::kMinute;
    case 'v': return QType::kSecond;
    case 't': return QType::kTime;
    case 'g': return QType::kGuid;
    default: return std::nullopt;
  }
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

// 2020.01.07p, 09:30t: a temporal word with the suffix of a finer type of its family.
std::optional<QType> suffixed_temporal(std::string_view word) {
  const auto target = suffix_type(word.back());
  const auto own = temporal_type(word.substr(0, word.size() - 1));
  return target && own && can_refine(*own, *target) ? target : std::nullopt;
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
