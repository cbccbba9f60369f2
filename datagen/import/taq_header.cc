#include "datagen/import/taq_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <system_error>

#include "datagen/import/taq_fields.h"
#include "datagen/spec.h"
#include "engine/base/check.h"
#include "engine/base/printable_text.h"
#include "engine/column/format_value.h"

namespace hdbench::datagen {
namespace {

constexpr std::string_view kEndWord = "END";
constexpr std::size_t kDayDigits = 8;

// What NYSE calls each column, in the columns' order.
using TaqNames = std::array<std::string_view, kTaqColumns>;
constexpr std::array<TaqNames, kTaqTables> kTaqNames = {
    TaqNames{"Symbol", "Time", "Exchange", "Sale Condition", "Trade Volume", "Trade Price",
             "Trade Stop Stock Indicator", "Trade Correction Indicator", "Sequence Number",
             "Source of Trade", "Trade Reporting Facility", "Participant Timestamp"},
    TaqNames{"Symbol", "Time", "Exchange", "Bid_Price", "Bid_Size", "Offer_Price", "Offer_Size",
             "Quote_Condition", "Sequence_Number", "Source_Of_Quote",
             "Short_Sale_Restriction_Indicator", "Participant_Timestamp"}};
// By which a file of the national best quotes is known, whose other columns are those of quotes,
// and one of fixed width by its first line.
constexpr std::string_view kNbboName = "Best_Bid_Price";
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
  if (std::find(names.begin(), names.end(), plain_name(kNbboName)) != names.end())
    return data_error(fmt::format("{}: an NBBO file, not trades or quotes", path.string()));
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
    const auto date = end - begin == kDayDigits
                          ? taq_date(std::string_view(name).substr(begin, kDayDigits))
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
