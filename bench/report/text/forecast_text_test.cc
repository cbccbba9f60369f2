#include "bench/report/text/text_reports.h"
#include "bench/testing/sample_forecasts.h"

namespace hdbench::bench {
namespace {

bool shows_part(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a terminal's tables have texts behind the figures below their row, within the width") {
  const std::string text = forecast_text(sample_forecasts(), 80);
  CHECK(text.starts_with("67 % of the bytes in NVMe"));
  for (const char* part : {"DRAM", "    t: b; u: c\n", "40.00 (39.00 to 41.50)", "    S4 <b>\n",
                           "extrapolated: the rows are <five> times", "card: a <card>"})
    CHECK(shows_part(text, part));
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    CHECK(end - at <= 80);
    at = end + 1;
  }
}

TEST_CASE("Markdown has the same, escaped") {
  const std::string text = forecast_markdown(sample_forecasts());
  for (const char* part : {"| tier | GB | of all | price | columns |", "|:--|--:|--:|--:|:--|",
                           "a \\<name\\>", "- extrapolated: the rows are \\<five\\>", "| card |"})
    CHECK(shows_part(text, part));
}

TEST_CASE("CSV is of one prediction, and refused of anything else") {
  Forecasts forecasts = sample_forecasts();
  CHECK(forecast_csv(forecasts).error().kind == ErrorKind::kUsage);
  Forecasts one;
  one.predictions = forecasts.predictions;
  CHECK(forecast_csv(one)->starts_with(
      "query,medium,ms,from,to,work,bandwidth,latency,waiting\r\nQ07,dram,10,9,11,8,1,0,1\r\n"));
  one = {};
  one.advice = forecasts.advice;
  CHECK(shows_part(forecast_csv(one).error().message, "advice and profiles have several tables"));
}

}  // namespace hdbench::bench
