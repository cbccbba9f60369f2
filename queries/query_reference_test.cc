// Random queries over small random tables, each result against the row-at-a-time reference.
#include <limits>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/catch.h"
#include "engine/base/store.h"
#include "engine/column/memory_table.h"
#include "engine/exec/execute.h"
#include "engine/storage/flat_table.h"
#include "queries/query.h"
#include "queries/random_query.h"

namespace hdbench::queries {
namespace {

constexpr std::uint64_t kTables = 30;
constexpr std::uint64_t kQueriesOfTables = 40;

// Tables of trades and quotes.
struct TablePair {
  std::shared_ptr<const Table> trade;
  std::shared_ptr<const Table> quote;

  const Table& named(const std::string& name) const { return name == "quote" ? *quote : *trade; }
};

// What queries may name of them.
const TextTable kTradeText = {"trade",
                              {{"date", TextKind::kDate},
                               {"sym", TextKind::kSymbol},
                               {"time", TextKind::kTime},
                               {"size", TextKind::kNumber, true},
                               {"price", TextKind::kNumber, true, true},
                               {"lot", TextKind::kNumber, true, true},
                               {"rate", TextKind::kNumber, true, true},
                               {"flag", TextKind::kBoolean},
                               {"mark", TextKind::kChar}}};
const TextTable kQuoteText = {"quote",
                              {{"date", TextKind::kDate},
                               {"sym", TextKind::kSymbol},
                               {"time", TextKind::kTime},
                               {"size", TextKind::kNumber, true},
                               {"bid", TextKind::kNumber, true, true},
                               {"deal", TextKind::kNumber, true, true}}};

const std::shared_ptr<const Domain>& drawn_symbols() {
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

Schema partitioned_schema(const std::vector<std::pair<std::string, QType>>& fields) {
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
std::vector<std::uint64_t> drawn_rows(Dice& dice, std::uint64_t rows_max) {
  std::vector<std::uint64_t> rows;
  for (std::uint64_t part = 1 + dice() % 3; part > 0; --part)
    rows.push_back(dice() % 4 == 0 ? 0 : dice() % (rows_max + 1));
  return rows;
}

TablePair random_pair(Dice& dice, std::uint64_t rows_max) {
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
TablePair flat_pair(const TablePair& tables, ThreadPool& pool) {
  const auto store = make_page_cache_store();
  return {make_flat_table(*tables.trade, store, pool, Codes::kNarrow).value(),
          make_flat_table(*tables.quote, store, pool, Codes::kNarrow).value()};
}

struct Tally {
  std::uint64_t drawn = 0;
  std::uint64_t ran = 0;
};

std::vector<ThreadPool*> pools_of_test() {
  static ThreadPool one(1);
  static ThreadPool two(2);
  return {&one, &two};
}

// Whether the query runs; then with each mode and number of threads the result is the reference's.
bool agrees_or_is_refused(const std::string& text, const TablePair& tables) {
  const auto query = Query::parse(text);
  if (!query.ok()) return false;
  const auto plan = query->bind(
      [&](const std::string& name) -> Result<const Table*> { return &tables.named(name); });
  if (!plan.ok()) return false;
  const Table& leaf = tables.named(query->table_name());
  Workspace workspace(0, *std::pmr::new_delete_resource());
  std::optional<PlainResult> expected;
  for (ThreadPool* pool : pools_of_test()) {
    for (const Mode mode : {Mode::k36, Mode::k40}) {
      ExecuteSettings settings;
      settings.mode = mode;
      const auto result = execute(leaf, *plan, settings, *pool, workspace);
      if (!expected && !result.ok()) return false;
      REQUIRE(result.ok());
      if (!expected) expected = run_by_rows(leaf, *plan);
      CHECK(first_difference(to_plain(*result), *expected) == kNoDifference);
    }
  }
  return true;
}

}  // namespace

TEST_CASE("random queries over small tables agree with the row-at-a-time reference") {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= kTables; ++seed) {
    Dice dice(seed);
    const std::uint64_t rows_max = seed % 5 == 0 ? seed / 5 % 2 : 3 * (seed % 5);
    const TablePair parted = random_pair(dice, rows_max);
    const TablePair flat = flat_pair(parted, *pools_of_test().front());
    for (std::uint64_t q = 0; q < kQueriesOfTables; ++q) {
      const std::string text = random_query(dice, kTradeText, kQuoteText, 2);
      const bool is_flat = dice() % 3 == 0;
      INFO("seed " << seed << " query " << q << (is_flat ? ", flat: " : ": ") << text);
      ++tally.drawn;
      if (agrees_or_is_refused(text, is_flat ? flat : parted)) ++tally.ran;
    }
  }
  CHECK(tally.drawn >= 500);
  CHECK(tally.ran * 10 >= tally.drawn * 9);
}

}  // namespace hdbench::queries
