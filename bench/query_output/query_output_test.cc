#include "bench/query_output/query_output.h"

#include <cstring>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

void fill(TimedRun& run, std::int64_t rows) {
  ResultTable table;
  ResultColumn column;
  column.name = "x";
  column.buffer = Buffer(*std::pmr::new_delete_resource(), static_cast<std::size_t>(rows) * 8);
  for (std::int64_t row = 0; row < rows; ++row) {
    std::memcpy(column.buffer.data() + row * 8, &row, sizeof(row));
  }
  table.rows = static_cast<std::uint64_t>(rows);
  table.columns.push_back(std::move(column));
  run.table = std::move(table);
}

std::string text_of(const TimedRun& run, std::optional<int> id, const OutputOptions& options) {
  std::string all;
  TextSink sink([&](std::string_view piece) -> Result<bool> {
    all += piece;
    return true;
  });
  show_result(run, id, options, sink);
  REQUIRE(sink.finish().ok());
  return all;
}

TEST_CASE("an unknown format is refused, naming the known ones") {
  CHECK(*parse_format("csv") == OutputFormat::kCsv);
  CHECK(parse_format("xml").error().message ==
        "--format: unknown value 'xml': known are table, csv, json");
}

TEST_CASE("rows only is the bare number, or an object in json") {
  TimedRun run;
  fill(run, 3);
  CHECK(text_of(run, {}, {OutputFormat::kTable, true, false}) == "3\n");
  CHECK(text_of(run, {}, {OutputFormat::kCsv, true, false}) == "3\n");
  CHECK(text_of(run, 7, {OutputFormat::kJson, true, false}).find("{\"id\":7,\"rows\":3,") == 0);
}

TEST_CASE("a query that its limit stopped is 0N, or null in json with the reason") {
  TimedRun run;
  run.limit_message = "-w abort";
  CHECK(text_of(run, {}, {OutputFormat::kTable, false, false}) == "0N\n");
  CHECK(text_of(run, {}, {OutputFormat::kCsv, true, false}) == "0N\n");
  const std::string json = text_of(run, {}, {OutputFormat::kJson, false, false});
  CHECK(json.find("{\"rows\":null,") == 0);
  CHECK(json.find("\"error\":\"-w abort\"}") != std::string::npos);
}

TEST_CASE("a count is shown as rows only are, and 0N where there is none") {
  const auto text = [](std::optional<std::uint64_t> rows, OutputFormat format) {
    std::string all;
    TextSink sink([&](std::string_view piece) -> Result<bool> {
      all += piece;
      return true;
    });
    show_count(rows, 8, format, sink);
    REQUIRE(sink.finish().ok());
    return all;
  };
  CHECK(text(12, OutputFormat::kTable) == "12\n");
  CHECK(text({}, OutputFormat::kCsv) == "0N\n");
  CHECK(text({}, OutputFormat::kJson) == "{\"id\":8,\"rows\":null}\n");
}

TEST_CASE("a table shows its first twenty rows unless all are requested") {
  TimedRun run;
  fill(run, 30);
  const std::string head = text_of(run, {}, {OutputFormat::kTable, false, false});
  CHECK(head.substr(head.size() - 6) == "19\n..\n");
  const std::string all = text_of(run, {}, {OutputFormat::kTable, false, true});
  CHECK(all.substr(all.size() - 3) == "29\n");
}

}  // namespace
}  // namespace hdbench::bench
