// The fields of NYSE's Daily TAQ files, from text to kdb+'s values.
//
// Each function takes one field and gives nothing where the field is not what its column has. An
// empty field is kdb+'s null of the type. Blanks around a value are no part of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hdbench::datagen {

// Nanoseconds of HHMMSS and three, six or nine digits of a second, before 24 hours.
std::optional<std::int64_t> taq_time(std::string_view field);

// A whole number from 0 up that the type holds; behind a point only zeros.
std::optional<std::int16_t> taq_short(std::string_view field);
std::optional<std::int32_t> taq_int(std::string_view field);
std::optional<std::int64_t> taq_long(std::string_view field);

// The nearest float or double of decimal digits with a point or without: finite and not negative.
template <class Price>
std::optional<Price> taq_price(std::string_view field);

// Whether the field's real is not its price, and does not tell it from the neighbours in its last
// decimal place either: of more than 2^24 units of that place, or rounded to it another price.
// Requires: `real` is taq_price<float>(field).
bool loses_digits(std::string_view field, float real);

// One printable character of ASCII.
std::optional<char> taq_letter(std::string_view field);

// Printable ASCII, of kTextBytesMax at most; blanks within it stay. A view into the field.
constexpr std::size_t kTextBytesMax = 64;
std::optional<std::string_view> taq_text(std::string_view field);

// Days since 2000.01.01 of the eight digits YYYYMMDD, of the years that such files can be of.
std::optional<std::int32_t> taq_date(std::string_view digits);

}  // namespace hdbench::datagen
