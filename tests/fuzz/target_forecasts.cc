// Advice and predictions: read, and shown in every form.
#include "bench/report/html/html_page.h"
#include "bench/report/text/text_reports.h"
#include "tests/fuzz/fuzz_input.h"

namespace hdbench::fuzz {
using namespace bench;
using namespace pmem;

void run_forecasts(Bytes input) {
  const std::string_view text = as_text(input);
  const DocumentKind kind = document_kind(text);
  const auto advice = parse_advice(text, "fuzz.json");
  const auto prediction = parse_prediction(text, "fuzz.json");
  require(!advice.ok() || kind == DocumentKind::kAdvice, "advice is known as such");
  require(!prediction.ok() || kind == DocumentKind::kPrediction, "a prediction is known as such");
  Forecasts forecasts;
  if (advice.ok()) forecasts.advice.push_back(*advice);
  if (prediction.ok()) forecasts.predictions.push_back(*prediction);
  if (forecasts.empty()) return;
  constexpr std::size_t kColumns = 80;
  require(!forecast_text(forecasts, kColumns).empty(), "a text");
  require(!forecast_markdown(forecasts).empty(), "Markdown");
  require(forecast_csv(forecasts).ok() == prediction.ok(), "CSV is of a prediction");
  require(!forecast_page(forecasts).empty(), "a page");
}

}  // namespace hdbench::fuzz
