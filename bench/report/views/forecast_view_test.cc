#include "bench/report/views/forecast_view.h"

#include "bench/testing/sample_forecasts.h"

namespace hdbench::bench {

TEST_CASE("the placement has tiers from the dearest to the cheapest, and their columns by table") {
  const Advice advice = sample_forecasts().advice[0];
  CHECK(tiers_by_price(advice) == std::vector<std::size_t>{1, 0});
  const ViewTable table = placement_table(advice);
  REQUIRE(table.rows.size() == 3);
  CHECK(table.rows[0][0].text == "DRAM");
  CHECK(table.rows[0][1].text == "1");
  CHECK(table.rows[0][2].text == "33 %");
  CHECK(table.rows[0][4].text == "t: a");
  CHECK(table.rows[1][4].text == "t: b; u: c");
  CHECK(table.rows[2][3].text == "31");
  CHECK(
      advice_sentence(advice).starts_with("67 % of the bytes in NVMe, 33 % of the bytes in DRAM"));
  CHECK(advice_flags(advice) == "--medium nvme:nvme-p5510 --place t.a=dram");
  CHECK(advice_question(advice).find("15 % longer at most") != std::string::npos);
}

TEST_CASE("a recommendation names the tiers that hold bytes, the time and the price") {
  Advice advice;
  CHECK(advice_sentence(advice).ends_with("costs 0 instead of 0."));
  advice.tiers.resize(3);
  advice.tiers[0].name = "DRAM";
  advice.tiers[0].bytes = 1'000;
  advice.tiers[2].name = "NVMe";
  advice.tiers[2].bytes = 3'000;
  advice.slowdown = 0.125;
  advice.price = 2;
  advice.dram_price = 8;
  CHECK(advice_sentence(advice) ==
        "25 % of the bytes in DRAM, 75 % of the bytes in NVMe: the queries take 12.5 % longer than "
        "with all in DRAM, and the memory costs 2 instead of 8 (-75 %).");
}

TEST_CASE("prices have four digits, and from a thousand on no fractions") {
  CHECK(price_text(0.66428637) == "0.6643");
  CHECK(price_text(12345.6) == "12,346");
}

TEST_CASE("measured times stand beside the advised ones where there are any") {
  Advice advice = sample_forecasts().advice[0];
  ViewTable table = advised_queries_table(advice);
  CHECK(table.columns.size() == 10);
  CHECK(table.rows[0][5].text == "+10.0 %");
  CHECK(table.rows[0][8].text == "+19.0 %");
  CHECK(table.rows[0][9].text == "-12.0 %");
  CHECK(table.rows[1][7].text == table.rows[0][7].text);
  advice.queries[0].measured_ms.reset();
  advice.queries[0].dram_ms = 0;
  table = advised_queries_table(advice);
  CHECK(table.columns.size() == 6);
  CHECK(table.rows[0][5].text == "none");
  for (const auto& row : table.rows) CHECK(row.size() == table.columns.size());
}

TEST_CASE("a prediction says the size, and which medium is the fastest and the slowest") {
  Prediction prediction = sample_forecasts().predictions[0];
  CHECK(prediction_sentence(prediction) ==
        "Predicted for 5,000 rows in 10 partitions, from a recording of 1,000 rows in 2 "
        "partitions: Q07 takes 10.00 ms on DRAM, the fastest, and 40.00 ms on CXL (cxl-cz122), the "
        "slowest: 4.00 times as long.");
  CHECK(prediction_question(prediction).starts_with("Recorded in DRAM on a <CPU>, partitioned"));
  const ViewTable times = predicted_times_table(prediction);
  CHECK(times.rows[0][2].text == "40.00");
  CHECK(times.rows[0][2].beside == "39.00 to 41.50");
  CHECK(predicted_parts_table(prediction).rows.size() == 2);
  prediction.asked.users = 3;
  CHECK(prediction_question(prediction).starts_with("Asked for: 3 users at once. "));
}

TEST_CASE("the devices of a report are the given ones, the media's and the machine's own memory") {
  const Forecasts forecasts = sample_forecasts();
  std::vector<std::string> missing;
  std::vector<std::string> names;
  for (const DeviceProfile& one : forecasts.all_profiles(missing)) names.push_back(one.name);
  CHECK(names ==
        std::vector<std::string>{"card", "this machine's DRAM", "nvme-p5510", "cxl-cz122"});
  CHECK(missing.empty());
}

}  // namespace hdbench::bench
