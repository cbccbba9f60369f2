#include "datagen/import/taq_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>
#include <system_error>

#include "datagen/spec.h"
#include "engine/base/check.h"
#include "engine/base/text.h"
#include "engine/column/calendar.h"
#include "engine/column/format_value.h"

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

constexpr std::string_view kEndWord = "END";

// What NYSE calls each column, in the columns' order.
using TaqNames = std::array<std::string_view, kTaqColumns>;
constexpr std::array<TaqNames, kTaqTables> kTaqNames = {
    TaqNames{"Symbol", "Time", "Exchange", "Sale Condition", "Trade Volume", "Trade Price",
             "Trade Stop Stock Indicator", "Trade Correction Indicator", "Sequence Number",
             "Source of Trade", "Trade Reporting Facility", "Participant Timestamp"},
    TaqNames{"Symbol", "Time", "Exchange", "Bid_Price", "Bid_Size", "Offer_Price", "Offer_Size",
             "Quote_Condition", "Sequence_Number", "Source_Of_Quote",
             "Short_Sale_Restriction_Indicator", "Participant_Timestamp"}};
// By which a file of the national best quotes is known, whose other columns are those of quotes, a
// master file, which describes the symbols, and one of fixed width by its first line.
constexpr std::string_view kNbboName = "Best_Bid_Price";
constexpr std::string_view kMasterName = "Security_Description";
constexpr std::string_view kFixedWidthWords = "recordcount:";
// By which a table is known.
constexpr std::array<std::string_view, kTaqTables> kTellingNames = {"Trade Price", "Bid_Price"};

std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char letter : name) {
    if (letter == '_' || letter == ' ') continue;
    const bool is_capital = letter >= 'A' && letter <= 'Z';
    plain += is_capital ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  return plain;
}

Error header_error(const std::filesystem::path& path, std::string_view what) {
  return data_error(fmt::format("{}: header: {}", path.string(), what));
}

Result<TaqTable> table_of(std::span<const std::string> names, const std::filesystem::path& path) {
  std::array<bool, kTaqTables> has = {};
  for (std::size_t table = 0; table < kTaqTables; ++table) {
    const std::string telling = plain_name(kTellingNames[table]);
    has[table] = std::find(names.begin(), names.end(), telling) != names.end();
  }
  const auto has_name = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), plain_name(name)) != names.end();
  };
  if (has_name(kNbboName))
    return data_error(fmt::format("{}: an NBBO file, not trades or quotes", path.string()));
  if (has_name(kMasterName)) {
    return data_error(fmt::format(
        "{}: a master file, which describes symbols, not trades or quotes", path.string()));
  }
  if (has[0] != has[1]) return has[0] ? TaqTable::kTrade : TaqTable::kQuote;
  if (names.size() == 1 && names.front().find(kFixedWidthWords) != std::string::npos) {
    return data_error(
        fmt::format("{}: fixed width (before 2016): not supported, expected a header of columns "
                    "between |",
                    path.string()));
  }
  const auto& [trade, quote] = kTellingNames;
  if (has[0]) return header_error(path, fmt::format("both '{}' and '{}'", trade, quote));
  return header_error(path,
                      fmt::format("no column '{}' of trades or '{}' of quotes", trade, quote));
}

std::vector<TablePlan> plans_with(QType price_type) {
  Spec spec;
  spec.profile = Profile::kTaq;
  auto plans = table_plans(spec);
  HDB_CHECK(plans.size() == kTaqTables, "a plan a table");
  for (TablePlan& plan : plans) {
    HDB_CHECK(plan.columns.size() == kTaqColumns, "both tables have as many columns");
    HDB_CHECK(plan.columns.front().name == parted_column(spec), "the symbol comes first");
    for (ColumnPlan& column : plan.columns) {
      if (column.name == "seq") column.type = QType::kLong;
      if (column.type == QType::kReal) column.type = price_type;
    }
  }
  return plans;
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

template <class Whole>
std::optional<Whole> taq_whole(std::string_view field) {
  const std::string_view digits = without_blanks(field);
  if (digits.empty()) return std::numeric_limits<Whole>::min();  // the type's null
  Whole value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [last, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc{} || !is_digit(digits.front())) return std::nullopt;
  if (last != end && !is_zero_fraction({last, end})) return std::nullopt;
  return value;
}

template std::optional<std::int16_t> taq_whole(std::string_view field);
template std::optional<std::int32_t> taq_whole(std::string_view field);
template std::optional<std::int64_t> taq_whole(std::string_view field);

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

const TablePlan& taq_table(TaqTable table, QType price_type) {
  static const std::vector<TablePlan> kOfReals = plans_with(QType::kReal);
  static const std::vector<TablePlan> kOfFloats = plans_with(QType::kFloat);
  return (price_type == QType::kFloat ? kOfFloats : kOfReals)[static_cast<std::size_t>(table)];
}

Result<TaqHeader> read_taq_header(std::string_view line, const std::filesystem::path& path) {
  std::vector<std::string_view> given;
  TaqHeader header;
  header.fields = for_each_taq_field(
      line, kTaqFieldsMax, [&](std::size_t, std::string_view name) { given.push_back(name); });
  if (header.fields > kTaqFieldsMax) {
    return header_error(path, fmt::format("more than {} columns", kTaqFieldsMax));
  }
  std::vector<std::string> names;
  for (const std::string_view name : given) names.push_back(plain_name(name));
  HDB_ASSIGN(header.table, table_of(names, path));
  const TaqNames& wanted = kTaqNames[static_cast<std::size_t>(header.table)];
  for (std::size_t column = 0; column < kTaqColumns; ++column) {
    const std::string name = plain_name(wanted[column]);
    const auto place = std::find(names.begin(), names.end(), name);
    if (place == names.end()) {
      return header_error(path, fmt::format("no column '{}'", wanted[column]));
    }
    if (std::find(place + 1, names.end(), name) != names.end()) {
      return header_error(path, fmt::format("column '{}' twice", wanted[column]));
    }
    header.field_of[column] = static_cast<std::size_t>(place - names.begin());
    header.names[column] = printable_line(given[header.field_of[column]]);
  }
  return header;
}

Result<std::optional<std::int32_t>> date_in_name(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  const auto is_digit_at = [&](std::size_t place) {
    return place < name.size() && name[place] >= '0' && name[place] <= '9';
  };
  std::optional<std::int32_t> found;
  for (std::size_t begin = 0; begin < name.size();) {
    std::size_t end = begin;
    while (is_digit_at(end)) ++end;
    const auto date = end - begin == kDateDigits
                          ? taq_date(std::string_view(name).substr(begin, kDateDigits))
                          : std::nullopt;
    if (date && found && *date != *found) {
      return usage_error(fmt::format("{}: its name has two dates, {} and {}: say one by --date",
                                     path.string(), partition_name(QType::kDate, *found),
                                     partition_name(QType::kDate, *date)));
    }
    if (date) found = date;
    begin = end + 1;
  }
  return found;
}

bool is_taq_end(std::string_view line) {
  if (!line.starts_with(kEndWord)) return false;
  if (line.size() == kEndWord.size()) return true;
  return line[kEndWord.size()] == '|' && read_taq_end(line).date.has_value();
}

TaqEnd read_taq_end(std::string_view line) {
  TaqEnd end;
  constexpr std::size_t kEndFields = 3;
  for_each_taq_field(line, kEndFields, [&](std::size_t number, std::string_view field) {
    if (number == 1) end.date = taq_date(field);
    if (number != 2) return;
    std::uint64_t records = 0;
    const char* const last = field.data() + field.size();
    const auto [read, error] = std::from_chars(field.data(), last, records);
    if (error == std::errc{} && read == last) end.records = records;
  });
  return end;
}

}  // namespace hdbench::datagen
