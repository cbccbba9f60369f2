#include "bench/results/forecasts.h"

#include "bench/testing/sample_forecasts.h"

namespace hdbench::bench {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

std::string advice_fault(const std::string& what, const std::string& by) {
  const auto advice = parse_advice(replaced(sample_advice_json(), what, by), "a.json");
  REQUIRE_FALSE(advice.ok());
  CHECK(advice.error().kind == ErrorKind::kData);
  return advice.error().message;
}

std::string prediction_fault(const std::string& what, const std::string& by) {
  const auto prediction = parse_prediction(replaced(sample_prediction_json(), what, by), "p.json");
  REQUIRE_FALSE(prediction.ok());
  CHECK(prediction.error().kind == ErrorKind::kData);
  return prediction.error().message;
}

}  // namespace

TEST_CASE("a document's kind is known by its format and by a profile's own fields") {
  CHECK(document_kind("") == DocumentKind::kOther);
  CHECK(document_kind("[1]") == DocumentKind::kOther);
  CHECK(document_kind(std::string(1000, '[')) == DocumentKind::kOther);
  CHECK(document_kind(R"({"context": {}, "benchmarks": []})") == DocumentKind::kOther);
  CHECK(document_kind(sample_advice_json()) == DocumentKind::kAdvice);
  CHECK(document_kind(R"({"format": "hdbench-advice-9"})") == DocumentKind::kAdvice);
  CHECK(document_kind(sample_prediction_json()) == DocumentKind::kPrediction);
  CHECK(document_kind("// a comment\n" + sample_profile_json()) == DocumentKind::kProfile);
}

TEST_CASE("advice and predictions are read with every figure") {
  const auto advice = parse_advice(sample_advice_json(), "a.json");
  REQUIRE(advice.ok());
  CHECK(advice->file == "a.json");
  CHECK(advice->asked.slowdown == 0.15);
  CHECK_FALSE(advice->asked.budget);
  CHECK(advice->tiers[1].capacity_bytes == 8'000'000'000);
  CHECK(advice->columns[2].table == "u");
  CHECK(advice->queries[0].measured_ms == 12.5);
  CHECK(advice->frontier[1].bytes == std::vector<std::uint64_t>{3'000'000'000, 0});
  CHECK(advice->run.places == std::vector<std::string>{"t.a=dram"});
  const auto prediction = parse_prediction(sample_prediction_json(), "p.json");
  REQUIRE(prediction.ok());
  CHECK(prediction->asked.rows == 5000);
  CHECK(prediction->host.read_gb_s[1][1] == 35.5);
  CHECK(prediction->queries[0].on[1].high_ms == 41.5);
  CHECK(prediction->setting.threads == 2);
}

TEST_CASE("what is written is read back, and written again the same") {
  const std::string advice = to_json_text(*parse_advice(sample_advice_json(), "a.json"));
  CHECK(to_json_text(*parse_advice(advice, "b.json")) == advice);
  const std::string prediction =
      to_json_text(*parse_prediction(sample_prediction_json(), "p.json"));
  CHECK(to_json_text(*parse_prediction(prediction, "q.json")) == prediction);
}

TEST_CASE("a wrong advice is named by file, field, what was found and what was expected") {
  CHECK(parse_advice("nonsense", "a.json").error().message ==
        "a.json: not JSON: expected what `hdbench advise --out` writes");
  CHECK(advice_fault("advice-1", "advice-2") ==
        R"(a.json: 'format' is "hdbench-advice-2", expected "hdbench-advice-1")");
  CHECK(advice_fault("\"threads\": 2", "\"threads\": -2") ==
        "a.json: 'threads' is -2, expected a whole number from 0 up");
  CHECK(advice_fault("\"dram_ms\": 10.0", "\"dram_ms\": \"x\"") ==
        R"(a.json: queries[0]: 'dram_ms' is "x", expected a number)");
  CHECK(advice_fault("\"placed_ms\": 11.0", "\"placed_ms\": -1") ==
        "a.json: queries[0]: a time or weight is -1, expected 0 or more");
  CHECK(advice_fault("\"tier\": 1", "\"tier\": 2") ==
        "a.json: columns[0]: 'tier' is 2, expected less than the 2 of 'tiers'");
  CHECK(advice_fault("[0, 3000000000]", "[0]") ==
        "a.json: 'frontier[0].bytes' has 1 entries, expected the 2 of 'tiers'");
  CHECK(advice_fault("\"places\": [\"t.a=dram\"]", "\"places\": 3") ==
        "a.json: run: 'places' is 3, expected a list");
  CHECK(advice_fault("\"asked\"", "\"wanted\"") == "a.json: 'asked' is missing, expected a value");
}

TEST_CASE("a wrong prediction is named likewise") {
  CHECK(prediction_fault("[2.0, 35.5]", "[1.0, 35.5]").starts_with("p.json: host: 'read_gb_s' is"));
  CHECK(prediction_fault("[2.0, 35.5]", "[2.0]").starts_with("p.json: host: 'read_gb_s' is"));
  CHECK(prediction_fault("\"rows\": 1000.0", "\"rows\": 1e300") ==
        "p.json: recorded: 'rows' is 1e+300, expected 0 to 1e18");
  CHECK(prediction_fault("[\"dram\", \"cxl:cxl-cz122\"]", "[\"dram\"]") ==
        "p.json: 'queries[0].on' has 2 entries, expected the 1 of 'media'");
  CHECK(prediction_fault("[\"dram\", \"cxl:cxl-cz122\"]", "[]") ==
        "p.json: 'media' is empty, expected one or more");
}

}  // namespace hdbench::bench
