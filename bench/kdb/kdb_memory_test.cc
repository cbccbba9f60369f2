#include "bench/kdb/kdb_memory.h"

#include <cmath>

#include "bench/kdb/what_if.h"
#include "engine/base/catch.h"
#include "queries/query.h"

namespace hdbench::bench {
namespace {

KdbMemory memory_of(const std::string& schema, const std::string& text, const KdbGuess& guess,
                    const KdbSettings& settings = {}) {
  const auto table = what_if_table("--table", schema, guess.partitions > 1, text);
  REQUIRE(table.ok());
  const auto query = queries::parse_query(text);
  REQUIRE(query.ok());
  queries::BindTables tables;
  tables.find = [&](const std::string&) -> Result<const Table*> { return table->get(); };
  const auto bound = queries::bind(*query, tables);
  REQUIRE(bound.ok());
  const KdbSteps steps = guess_steps(*bound->plan, guess.partitions > 1, guess);
  return kdb_memory(table->get(), *bound->plan, steps, settings);
}

void check_near(std::uint64_t model, std::uint64_t published, double share) {
  INFO(model << " beside " << published);
  CHECK(std::abs(static_cast<double>(model) / static_cast<double>(published) - 1) <= share);
}

// What kdb+'s \ts showed.
struct Published {
  const char* text;
  std::uint64_t rows;
  KdbVersion version;
  std::uint64_t bytes;
};

TEST_CASE("the model gives what was published within 4 percent, most within 1") {
  constexpr std::string_view kSchema = "time:t,sym:s,price:f,size:j";
  const Published published[] = {
      {"select from trade where time=09:30:00.000", 25'000'000, KdbVersion::k28, 33'554'944},
      {"select from trade where time=09:30:00.000", 75'000'000, KdbVersion::k28, 134'218'288},
      {"select from trade where time=09:30:00.000", 150'000'000, KdbVersion::k28, 268'436'016},
      {"select from trade where sym=`x", 10'000, KdbVersion::k36, 16'896},
      {"select from trade where sym=`x", 1'000'000, KdbVersion::k36, 1'049'088},
      {"select from trade where sym=`x", 100'000'000, KdbVersion::k36, 134'218'240},
      {"select from trade where sym=`IBM", 25'000'000, KdbVersion::k28, 301'990'304},
      {"select from trade where sym=`IBM", 75'000'000, KdbVersion::k28, 1'207'959'968},
      {"select from trade where sym=`IBM", 150'000'000, KdbVersion::k28, 2'415'919'520},
      {"select from trade where sym in enlist `IBM", 10'000'000, KdbVersion::k36, 16'777'776},
  };
  for (const Published& of : published) {
    INFO(of.text << ", " << of.rows << " rows");
    KdbSettings settings;
    settings.version = of.version;
    const KdbMemory memory = memory_of(std::string(kSchema), of.text, {of.rows, 1, 0, 1}, settings);
    check_near(memory.peaks.used, of.bytes, of.rows > 10'000 ? 0.01 : 0.04);
  }
  // The row numbers of select by, and of rows chosen by their numbers.
  check_near(
      memory_of(std::string(kSchema), "select by sym from trade", {2'000'000, 1, 2'000'000, 100})
          .peaks.used,
      16'784'064, 0.01);
  CHECK(kdb_block_bytes(8 * std::uint64_t{500'000'000}) == 4'294'967'296);
  // til N, beside 176 bytes of the statement.
  for (const auto& [count, bytes] : {std::pair(800, 8368), {1000, 8368}, {1200, 16560}})
    check_near(kdb_block_bytes(8 * static_cast<std::uint64_t>(count)) + 176,
               static_cast<std::uint64_t>(bytes), 0.001);
}

}  // namespace
}  // namespace hdbench::bench
