// The text of NYSE's Daily TAQ files: the header (which table a file is of, where each column's
// field stands), the fields, the END line, and the day in a file's name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datagen/layout.h"
#include "engine/base/result.h"

namespace hdbench::datagen {

// The tables of `gen --profile taq`, in its order.
enum class TaqTable : std::uint8_t { kTrade, kQuote };
constexpr std::size_t kTaqTables = 2;
// Both tables have as many columns.
constexpr std::size_t kTaqColumns = 12;
constexpr std::size_t kTaqFieldsMax = 64;

// The table's name and columns, as gen has them, but that sequence numbers are longs, as NYSE's
// are, and prices of the type that is requested: kReal or kFloat.
const TablePlan& taq_table(TaqTable table, QType price_type = QType::kReal);

struct TaqHeader {
  TaqTable table = TaqTable::kTrade;
  std::size_t fields = 0;                              // of every line
  std::array<std::size_t, kTaqColumns> field_of = {};  // by column
  std::array<std::string, kTaqColumns> names = {};     // as the file has them
};

// Names are compared without `_`, blanks and case. Errors: kData, naming the file: of neither table
// or of both, of the national best quotes, of fixed width, a column that is absent or there twice,
// too many fields.
Result<TaqHeader> read_taq_header(std::string_view line, const std::filesystem::path& path);

// Calls visit(number, field) of each field between `|`, until it has had `fields_max`; gives how
// many there are, or more than fields_max.
template <class Visit>
std::size_t for_each_taq_field(std::string_view line, std::size_t fields_max, Visit visit) {
  std::size_t count = 0;
  for (;;) {
    const std::size_t end = line.find('|');
    if (count == fields_max) return count + 1;
    visit(count++, line.substr(0, end));
    if (end == std::string_view::npos) return count;
    line.remove_prefix(end + 1);
  }
}

// The day in a file's name: eight digits, YYYYMMDD, with no digit beside them. Nothing: there is
// none. Errors: kUsage, naming the file: there are two days.
Result<std::optional<std::int32_t>> date_in_name(const std::filesystem::path& path);

// What the last line, `END|YYYYMMDD|COUNT`, says. Without a date it is `END` alone: END is a
// symbol, too, and may be a line's first field.
struct TaqEnd {
  std::optional<std::int32_t> date{};
  std::optional<std::uint64_t> records{};
};
bool is_taq_end(std::string_view line);
TaqEnd read_taq_end(std::string_view line);

// Each function below takes one field and gives nothing where the field is not what its column has.
// An empty field is kdb+'s null of the type. Blanks around a value are no part of it.

// Nanoseconds of HHMMSS and three, six or nine digits of a second, before 24 hours.
std::optional<std::int64_t> taq_time(std::string_view field);

// A whole number from 0 up that the type (of 16, 32 or 64 bits) holds; behind a point only zeros.
template <class Whole>
std::optional<Whole> taq_whole(std::string_view field);

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
