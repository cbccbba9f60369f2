// The taq profile's database as the engine opens it, and what holds between its two tables.

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "datagen/generate.h"
#include "datagen/testing/scratch.h"
#include "engine/base/catch.h"
#include "engine/base/store.h"
#include "engine/storage/database.h"
#include "engine/storage/parted_index.h"

namespace hdbench::datagen {
namespace {

const Spec kTaqSpec{.profile = Profile::kTaq, .scale = 0.0005, .threads = 2};

// One database for all cases: made once, opened by the engine.
class TaqDatabase {
 public:
  TaqDatabase() {
    const auto made = generate(scratch_.path() / "db", kTaqSpec);
    REQUIRE(made.ok());
    auto opened = Database::open(scratch_.path() / "db");
    REQUIRE(opened.ok());
    database_ = *opened;
    trade = table("trade");
    quote = table("quote");
  }
  std::vector<std::string> names() const { return database_->table_names(); }

  std::shared_ptr<const Table> trade;
  std::shared_ptr<const Table> quote;

 private:
  std::shared_ptr<const Table> table(const char* name) {
    auto opened = database_->table(name, make_page_cache_store());
    REQUIRE(opened.ok());
    return *opened;
  }

  Scratch scratch_;
  std::shared_ptr<const Database> database_;
};

const TaqDatabase& taq_database() {
  static const TaqDatabase database;
  return database;
}

const Column* column_of(const Table& table, std::size_t part, const char* name) {
  const auto& fields = table.schema().fields;
  for (std::size_t field = 0; field < fields.size(); ++field) {
    if (fields[field].name != name) continue;
    const auto column = table.column(part, field);
    REQUIRE(column.ok());
    return *column;
  }
  FAIL("no column " << name);
  return nullptr;
}

template <class Element>
std::vector<Element> elements_of(const Table& table, std::size_t part, const char* name) {
  const auto column = column_of(table, part, name);
  const auto* const from = reinterpret_cast<const Element*>(column->data);
  return {from, from + column->rows};
}

std::uint64_t all_rows(const Table& table) {
  std::uint64_t rows = 0;
  for (std::size_t part = 0; part < table.part_count(); ++part) rows += table.rows(part).value();
  return rows;
}

}  // namespace

TEST_CASE("the engine opens trade and quote, twenty days each, with the types of TAQ") {
  const TaqDatabase& database = taq_database();
  CHECK(database.names() == std::vector<std::string>{"quote", "trade"});
  const std::pair<const Table*, const char*> expected[] = {{&*database.trade, "dsncsiechiccn"},
                                                           {&*database.quote, "dsnceieiciccn"}};
  for (const auto& [table, letters] : expected) {
    CHECK(table->part_count() == 20);
    std::string types;
    for (const auto& field : table->schema().fields) types += type_letter(field.type);
    CHECK(types == letters);
  }
}

TEST_CASE("there are about fourteen quotes a trade, and symbols are as frequent as Zipf has it") {
  const TaqDatabase& database = taq_database();
  const double quotes_a_trade = static_cast<double>(all_rows(*database.quote)) /
                                static_cast<double>(all_rows(*database.trade));
  CHECK(quotes_a_trade > 13);
  CHECK(quotes_a_trade < 15);
  std::vector<std::size_t> counts(8000);
  for (std::size_t part = 0; part < database.quote->part_count(); ++part) {
    for (const auto code : elements_of<std::int64_t>(*database.quote, part, "sym")) {
      ++counts.at(static_cast<std::size_t>(code));
    }
  }
  // The sum of 1/rank over 8000 ranks is 9.56.
  const auto most = static_cast<double>(counts[0]);
  const double share = most / static_cast<double>(all_rows(*database.quote));
  CHECK(std::abs(share - 1 / 9.56) < 0.005);
  CHECK(std::abs(most / static_cast<double>(counts[9]) - 10) < 2);
}

TEST_CASE("a trade is at or near the last quote of its symbol, as an as-of join finds it") {
  const TaqDatabase& database = taq_database();
  std::size_t joined = 0, near = 0, within = 0;
  for (std::size_t part = 0; part < database.trade->part_count(); ++part) {
    const auto index = parted_index(*column_of(*database.quote, part, "sym")).value();
    const auto quote_time = elements_of<std::int64_t>(*database.quote, part, "time");
    const auto bid = elements_of<float>(*database.quote, part, "bid");
    const auto ask = elements_of<float>(*database.quote, part, "ask");
    const auto codes = elements_of<std::int64_t>(*database.trade, part, "sym");
    const auto time = elements_of<std::int64_t>(*database.trade, part, "time");
    const auto price = elements_of<float>(*database.trade, part, "price");
    for (std::size_t row = 0; row < codes.size(); ++row) {
      const auto key = std::find(index->keys.begin(), index->keys.end(), codes[row]);
      if (key == index->keys.end()) continue;
      const auto at = key - index->keys.begin();
      const auto first = quote_time.begin() + index->offsets[static_cast<std::size_t>(at)];
      const auto last = quote_time.begin() + index->offsets[static_cast<std::size_t>(at) + 1];
      const auto after = std::upper_bound(first, last, time[row]);
      if (after == first) continue;
      const auto found = static_cast<std::size_t>(after - 1 - quote_time.begin());
      ++joined;
      near += std::abs(price[row] / ask[found] - 1.0F) < 0.01F;
      within += price[row] >= bid[found] - 0.05F && price[row] <= ask[found] + 0.05F;
    }
  }
  CHECK(joined > all_rows(*database.trade) / 2);
  CHECK(near > joined * 9 / 10);
  CHECK(within > joined / 2);
}

}  // namespace hdbench::datagen
