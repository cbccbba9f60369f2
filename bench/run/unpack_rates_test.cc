#include "bench/run/unpack_rates.h"

#include <string>
#include <vector>

#include "bench/run/session.h"
#include "datagen/generate.h"
#include "engine/base/catch.h"
#include "engine/testing/files.h"

namespace hdbench::bench {
namespace {

Result<std::vector<UnpackRate>> rates_of(const std::string& compression, Compressed compressed) {
  const testing::TemporaryDirectory scratch;
  datagen::Spec spec;
  spec.scale = 0.0005;
  spec.threads = 1;
  spec.compression = *parse_compression("", compression);
  REQUIRE(datagen::generate(scratch.path() / "db", spec, {}).ok());
  SessionOptions options;
  options.database = scratch.path() / "db";
  auto session = Session::open(std::move(options));
  REQUIRE(session.ok());
  const auto queries = one_query("select max bid, max ask from quote where date=2020.01.07");
  REQUIRE(queries.ok());
  const auto placement =
      (*session)->place({"quote"}, {"dram", Layout::kPartitioned, Codes::kStored, compressed});
  REQUIRE(placement.ok());
  const auto bound = bind_all(*queries, **placement);
  REQUIRE(bound.ok());
  return measure_unpacking(*bound, {"quote"}, **placement, (*session)->pools(),
                           std::vector<std::size_t>{1, 2});
}

TEST_CASE("each thread count has a rate, of the blocks that the queries read") {
  const auto rates = rates_of("lz4:1:12", Compressed::kAsStored);
  REQUIRE(rates.ok());
  REQUIRE(rates->size() == 2);
  CHECK(rates->front().threads == 1);
  CHECK(rates->back().threads == 2);
  CHECK(rates->front().gb_s > 0);
  // Two columns of a day's rows, with their headers.
  CHECK(rates->front().sample_bytes == rates->back().sample_bytes);
  CHECK(rates->front().sample_bytes % 16 == 0);
  CHECK(rates->front().sample_bytes > 2 * 8 * 1000);
}

TEST_CASE("nothing has a rate where nothing is left to unpack") {
  CHECK(rates_of("lz4:1:12", Compressed::kUnpacked)->empty());
  CHECK(rates_of("none", Compressed::kAsStored)->empty());
}

}  // namespace
}  // namespace hdbench::bench
