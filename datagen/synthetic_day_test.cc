#include "datagen/synthetic_day.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "datagen/column_values.h"
#include "datagen/generate.h"
#include "datagen/paper_symbols.h"
#include "datagen/testing/scratch.h"
#include "engine/base/catch.h"
#include "engine/base/store.h"
#include "engine/storage/database.h"

namespace hdbench::datagen {
namespace {

constexpr DayCount kDays[] = {{.date = 7311, .selected = 64, .others = 8},
                              {.date = 7311, .selected = 40'001, .others = 333},
                              {.date = 7311, .selected = 64, .others = 70'000}};

std::vector<std::int64_t> values(const SyntheticDay& day, const std::string& name,
                                 std::uint64_t first, std::size_t count) {
  std::vector<std::int64_t> out(count);
  for (const ColumnPlan& column : table_plans({.columns = 12}).front().columns)
    if (column.name == name) day.fill(column, first, count, std::as_writable_bytes(std::span(out)));
  return out;
}

using Pairs = std::set<std::pair<std::int64_t, std::int64_t>>;

}  // namespace

TEST_CASE("a synthetic day has its counts and the combinations that the queries count") {
  const auto symbols = paper_symbols();
  for (const DayCount& count : kDays) {
    for (const char* const parted : {"", "col1", "col2", "col3"}) {
      const SyntheticDay day(1, count, parted);
      const auto col1 = values(day, "col1", 0, count.rows());
      const auto col2 = values(day, "col2", 0, count.rows());
      const auto col3 = values(day, "col3", 0, count.rows());
      std::uint64_t selected = 0;
      std::map<std::string, std::set<std::int64_t>> col1_of;
      Pairs pairs;
      for (std::size_t row = 0; row < count.rows(); ++row) {
        const std::string value(symbols[static_cast<std::size_t>(col3[row])]);
        if (value != "val1" && value != "val2" && value != "val3") continue;
        ++selected;
        col1_of[value].insert(col1[row]);
        pairs.insert({col1[row], col2[row]});
      }
      CHECK(selected == count.selected);
      CHECK(col1_of["val1"].size() == kCol1OfVal1);
      col1_of["val2"].merge(col1_of["val1"]);
      CHECK(col1_of["val2"].size() == kCol1OfVal1Val2);
      CHECK(pairs.size() == kPairsOfSelected);
    }
  }
}

TEST_CASE("a parted synthetic day is the same rows in stable order, with its index") {
  for (const DayCount& count : kDays) {
    const SyntheticDay rows(1, count, "");
    CHECK(rows.index().keys.empty());
    const SyntheticDay day(1, count, "col3");
    const auto sorted = values(day, "col3", 0, count.rows());
    const PartedIndex& index = day.index();
    REQUIRE(index.offsets.size() == index.keys.size() + 1);
    for (std::size_t k = 0; k < index.keys.size(); ++k) {
      for (auto place = index.offsets[k]; place < index.offsets[k + 1]; ++place)
        REQUIRE(sorted[static_cast<std::size_t>(place)] == index.keys[k]);
    }
    CHECK(index.offsets.back() == static_cast<std::int64_t>(count.rows()));
    std::vector<std::size_t> order(count.rows());
    const auto col3 = values(rows, "col3", 0, count.rows());
    for (std::size_t row = 0; row < order.size(); ++row) order[row] = row;
    const auto symbols = paper_symbols();
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return symbols[static_cast<std::size_t>(col3[a])] <
             symbols[static_cast<std::size_t>(col3[b])];
    });
    for (const char* const name : {"time", "col1", "bid", "bsize", "f1", "l1"}) {
      const auto in_time = values(rows, name, 0, count.rows());
      const auto in_order = values(day, name, 0, count.rows());
      for (std::size_t place = 0; place < order.size(); ++place)
        REQUIRE(in_order[place] == in_time[order[place]]);
    }
    const auto time = values(rows, "time", 0, count.rows());
    CHECK(std::is_sorted(time.begin(), time.end()));
  }
}

TEST_CASE("any piece of a synthetic day is what the whole has there") {
  for (const char* const parted : {"", "col3"}) {
    const SyntheticDay day(7, kDays[1], parted);
    for (const char* const name : {"time", "col2", "ask", "l1"}) {
      const auto whole = values(day, name, 0, kDays[1].rows());
      for (const std::size_t first : {0, 1, 63, 25'003, 40'000}) {
        const auto piece = values(day, name, first, 300);
        CHECK(std::equal(piece.begin(), piece.end(), whole.begin() + static_cast<int>(first)));
      }
    }
  }
}

TEST_CASE("a synthetic day has rows beyond 32 bits") {
  const DayCount count{.date = 7311, .selected = 5'000'000'000, .others = 3'000'000'000};
  const SyntheticDay day(1, count, "col3");
  CHECK(day.index().offsets.back() == 8'000'000'000);
  const auto last = values(day, "col3", 7'999'999'999, 1);
  CHECK(paper_symbols()[static_cast<std::size_t>(last[0])] == "val8");
  const SyntheticDay rows(1, count, "");
  CHECK(values(rows, "l1", 64 * 70'000'000ULL, 64) == values(rows, "l1", 0, 64));
}

TEST_CASE("a synthetic database is small, and what is no such thing is refused") {
  const Scratch scratch;
  const Spec spec{.scale = 0.05, .compression = {5, 7, 17}, .synthetic = true, .threads = 2};
  const auto manifest = generate(scratch.path() / "db", spec);
  REQUIRE(manifest.ok());
  CHECK(manifest->bytes() < expected_bytes(spec) / 100);
  CHECK(manifest_text(*manifest).find("\"synthetic\": true") != std::string::npos);
  const auto database = Database::open(scratch.path() / "db");
  REQUIRE(database.ok());
  const auto table = (*database)->table("quote", make_page_cache_store());
  REQUIRE(table.ok());
  std::uint64_t rows = 0;
  for (std::size_t part = 0; part < (*table)->part_count(); ++part) rows += *(*table)->rows(part);
  CHECK(rows == manifest->rows());

  Spec other = spec;
  other.synthetic = false;
  const auto resumed = generate(scratch.path() / "db", other, {.resume = true});
  REQUIRE_FALSE(resumed.ok());
  CHECK(resumed.error().message.find("made with --synthetic") != std::string::npos);
  const auto plain = validate({.synthetic = true});
  CHECK(plain.error().message.starts_with("synthetic: "));
  const auto taq = validate({.profile = Profile::kTaq, .synthetic = true});
  CHECK(taq.error().message == "synthetic: not for profile taq");
}

}  // namespace hdbench::datagen
