// Small random tables of trades and quotes, and what random queries may name of them.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/store.h"
#include "engine/column/memory_table.h"
#include "engine/storage/flat_table.h"
#include "queries/testing/random_query.h"

namespace hdbench::queries {

// Tables of trades and quotes.
struct TablePair {
  std::shared_ptr<const Table> trade;
  std::shared_ptr<const Table> quote;

  const Table& named(const std::string& name) const { return name == "quote" ? *quote : *trade; }
};

// What queries may name of them.
inline const TextTable kTradeText = {"trade",
                                     {{"date", TextKind::kDate},
                                      {"sym", TextKind::kSymbol},
                                      {"time", TextKind::kTime},
                                      {"size", TextKind::kNumber, true},
                                      {"price", TextKind::kNumber, true, true},
                                      {"lot", TextKind::kNumber, true, true},
                                      {"rate", TextKind::kNumber, true, true},
                                      {"flag", TextKind::kBoolean},
                                      {"mark", TextKind::kChar}}};
inline const TextTable kQuoteText = {"quote",
                                     {{"date", TextKind::kDate},
                                      {"sym", TextKind::kSymbol},
                                      {"time", TextKind::kTime},
                                      {"size", TextKind::kNumber, true},
                                      {"bid", TextKind::kNumber, true, true},
                                      {"deal", TextKind::kNumber, true, true}}};

inline const std::shared_ptr<const Domain>& drawn_symbols() {
  static const auto domain = make_domain("sym", {"b", "a", "c", "", "ab"});
  return domain;
}

// Columns of random values, with nulls, infinities, both zeros and values that come again.
class ColumnMaker {
 public:
  ColumnMaker(Dice& dice, std::uint64_t rows) : dice_(dice), rows_(rows) {}

  Column symbols() {
    return column<std::int32_t>(QType::kSymbol, [&] { return below(5); }, drawn_symbols());
  }
  Column times() {
    return column<std::int32_t>(QType::kTime,
                                [&] { return rarely(15) ? kNullInt : 500 * below(12); });
  }
  template <typename T>
  Column integers(QType type) {
    return column<T>(type, [&] {
      if (rarely(8)) return std::numeric_limits<T>::min();
      if (rarely(40)) return std::numeric_limits<T>::max();
      return static_cast<T>(static_cast<int>(below(12)) - 3);
    });
  }
  template <typename T>
  Column floats(QType type) {
    return column<T>(type, [&] {
      if (rarely(8)) return std::numeric_limits<T>::quiet_NaN();
      if (rarely(30)) return (rarely(2) ? T{-1} : T{1}) * std::numeric_limits<T>::infinity();
      if (rarely(20)) return rarely(2) ? T{0} : -T{0};
      return static_cast<T>(static_cast<int>(below(60)) - 15) / 4;
    });
  }
  Column booleans() {
    return column<std::uint8_t>(QType::kBoolean, [&] { return below(2); });
  }
  Column chars() {
    return column<std::uint8_t>(QType::kChar, [&] { return "AB "[below(3)]; });
  }

 private:
  int below(std::uint64_t count) { return static_cast<int>(dice_() % count); }
  bool rarely(std::uint64_t one_of) { return below(one_of) == 0; }

  template <typename T, typename Make>
  Column column(QType type, const Make& make, std::shared_ptr<const Domain> domain = nullptr) {
    std::vector<T> values;
    for (std::uint64_t row = 0; row < rows_; ++row) values.push_back(static_cast<T>(make()));
    return make_column<T>(type, values, std::move(domain));
  }

  Dice& dice_;
  std::uint64_t rows_;
};

inline Schema partitioned_schema(const std::vector<std::pair<std::string, QType>>& fields) {
  Schema schema;
  schema.partitioned = true;
  schema.fields = {{"date", QType::kDate, Attribute::kNone, nullptr},
                   {"sym", QType::kSymbol, Attribute::kNone, drawn_symbols()},
                   {"time", QType::kTime, Attribute::kNone, nullptr}};
  for (const auto& [name, type] : fields)
    schema.fields.push_back({name, type, Attribute::kNone, nullptr});
  return schema;
}

// Rows of each part, from the first of 2020 on: some parts are empty.
inline std::vector<std::uint64_t> drawn_rows(Dice& dice, std::uint64_t rows_max) {
  std::vector<std::uint64_t> rows;
  for (std::uint64_t part = 1 + dice() % 3; part > 0; --part)
    rows.push_back(dice() % 4 == 0 ? 0 : dice() % (rows_max + 1));
  return rows;
}

inline TablePair random_pair(Dice& dice, std::uint64_t rows_max) {
  constexpr std::int64_t kFirstDay = 7305;
  std::vector<MemoryTable::Part> trades;
  for (const std::uint64_t rows : drawn_rows(dice, rows_max)) {
    ColumnMaker make(dice, rows);
    trades.push_back({kFirstDay + static_cast<std::int64_t>(trades.size()),
                      {make.symbols(), make.times(), make.integers<std::int64_t>(QType::kLong),
                       make.floats<double>(QType::kFloat), make.integers<std::int32_t>(QType::kInt),
                       make.floats<float>(QType::kReal), make.booleans(), make.chars()}});
  }
  std::vector<MemoryTable::Part> quotes;
  for (const std::uint64_t rows : drawn_rows(dice, rows_max)) {
    ColumnMaker make(dice, rows);
    quotes.push_back(
        {kFirstDay + static_cast<std::int64_t>(quotes.size()),
         {make.symbols(), make.times(), make.integers<std::int64_t>(QType::kLong),
          make.floats<double>(QType::kFloat), make.integers<std::int16_t>(QType::kShort)}});
  }
  const auto table_of = [](std::string name,
                           const std::vector<std::pair<std::string, QType>>& fields,
                           std::vector<MemoryTable::Part> parts) {
    return std::make_shared<const MemoryTable>(std::move(name), partitioned_schema(fields),
                                               std::move(parts));
  };
  return {
      table_of("trade",
               {{"size", QType::kLong},
                {"price", QType::kFloat},
                {"lot", QType::kInt},
                {"rate", QType::kReal},
                {"flag", QType::kBoolean},
                {"mark", QType::kChar}},
               std::move(trades)),
      table_of("quote", {{"size", QType::kLong}, {"bid", QType::kFloat}, {"deal", QType::kShort}},
               std::move(quotes))};
}

// The partitions joined, with codes of one byte.
inline TablePair flat_pair(const TablePair& tables, ThreadPool& pool) {
  const auto store = make_page_cache_store();
  return {make_flat_table(*tables.trade, store, pool, Codes::kNarrow).value(),
          make_flat_table(*tables.quote, store, pool, Codes::kNarrow).value()};
}

}  // namespace hdbench::queries
