// What a Daily TAQ file's first line and its name say: which table it is of, where each column's
// field stands, and of which day it is.
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
constexpr std::size_t kSymbolColumn = 0;
constexpr std::size_t kTimeColumn = 1;
constexpr std::size_t kTaqFieldsMax = 64;

// The table's name and columns, as gen has them, but that sequence numbers are longs, as NYSE's
// are, and prices of the type that is asked for: kReal or kFloat.
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

}  // namespace hdbench::datagen
