#include "bench/model/column_places.h"

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"

namespace hdbench::bench {
namespace {

std::string refused(const std::vector<std::string>& values) {
  const auto places = parse_places(values);
  REQUIRE_FALSE(places.ok());
  CHECK(places.error().kind == ErrorKind::kUsage);
  return places.error().message;
}

std::shared_ptr<Table> table_of(const std::string& name, bool partitioned,
                                const std::vector<std::string>& fields) {
  Schema schema;
  schema.partitioned = partitioned;
  for (const std::string& field : fields) schema.fields.push_back({field, QType::kLong, {}, {}});
  return std::make_shared<MemoryTable>(name, std::move(schema), std::vector<MemoryTable::Part>{});
}

TEST_CASE("the medium's word may have a profile and options") {
  const auto places = parse_places({"bid,ask=cxl:interleave=3:1", "col3=cxl:cxl-asic-ddr5"});
  REQUIRE(places.ok());
  REQUIRE(places->size() == 2);
  CHECK((*places)[0] == ColumnPlace{{"bid", "ask"}, "cxl:interleave=3:1"});
  CHECK((*places)[1] == ColumnPlace{{"col3"}, "cxl:cxl-asic-ddr5"});
  CHECK(to_text(*places) == "bid,ask=cxl:interleave=3:1; col3=cxl:cxl-asic-ddr5");
  CHECK(places_of_text(to_text(*places)) == *places);
  CHECK(places_of_text("").empty());
  CHECK(places_of_text("of another kind").empty());
}

TEST_CASE("values are one placement, a list is one each, and none places nothing") {
  using Lists = std::vector<std::vector<std::string>>;
  CHECK(*place_lists({}) == Lists{{}});
  CHECK(*place_lists({"bid=cxl", "ask=dram"}) == Lists{{"bid=cxl", "ask=dram"}});
  CHECK(*place_lists({"none"}) == Lists{{}});
  CHECK(*place_lists({"none; bid,ask=cxl;all=cxl & col3=dram"}) ==
        Lists{{}, {"bid,ask=cxl"}, {"all=cxl", "col3=dram"}});
  const auto refused_list = [](const std::vector<std::string>& values) {
    return place_lists(values).error().message;
  };
  CHECK(refused_list({"none; bid=cxl", "ask=dram"}) ==
        "--place none; bid=cxl: a list must be alone: give --place once");
  CHECK(refused_list({"bid=cxl;bid=cxl"}) == "--place bid=cxl;bid=cxl: 'bid=cxl' is there twice");
  CHECK(refused({"none; bid=cxl"}).find("a list of placements is for `hdbench run`") !=
        std::string::npos);
}

TEST_CASE("all is every column that is not placed elsewhere") {
  const auto quote = table_of("quote", true, {"date", "time", "bid", "ask"});
  const std::vector<const Table*> tables{quote.get()};
  const auto places = *parse_places({"all=cxl", "bid=dram"});
  CHECK(check_places(places, tables).ok());
  const auto named = with_named_columns(places, tables);
  CHECK(named[0].columns == std::vector<std::string>{"time", "ask"});
  CHECK(named[1].columns == std::vector<std::string>{"bid"});
}

}  // namespace
}  // namespace hdbench::bench
