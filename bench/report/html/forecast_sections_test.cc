#include "bench/report/html/html_page.h"
#include "bench/report/html/html_sections.h"
#include "bench/testing/sample_forecasts.h"

namespace hdbench::bench {
namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the page of advice begins with the recommendation, the frontier and the placement") {
  Forecasts forecasts;
  forecasts.advice = sample_forecasts().advice;
  const std::string page = forecast_page(forecasts);
  CHECK(page.size() < kPageBytesMax);
  const auto at = [&](const std::string& part) {
    const std::size_t found = page.find(part);
    REQUIRE(found != std::string::npos);
    return found;
  };
  CHECK(at("67&nbsp;% of the bytes in NVMe") < at("id=\"frontier-1\""));
  CHECK(at("id=\"frontier-1\"") < at("<caption><span>The placement"));
  CHECK(at("<th scope=\"row\">DRAM</th>") < at("<th scope=\"row\">NVMe</th>"));
  CHECK(at("<pre tabindex=\"0\">--medium nvme:nvme-p5510 --place t.a=dram</pre>") <
        at("<section id=\"advised\">"));
  CHECK(holds(page, "href=\"#curves\""));
  CHECK(holds(page, "a &lt;name&gt;"));
  CHECK_FALSE(holds(page, "<name>"));
}

TEST_CASE("the page of a prediction begins with the sentence, the times and their parts") {
  const std::string html = prediction_sections(sample_forecasts().predictions[0], 1);
  CHECK(html.find("the slowest: 4.00 times as long") < html.find("<b>40.00</b>"));
  CHECK(html.find("<b>40.00</b>") < html.find("id=\"parts-1-0\""));
  CHECK(holds(html, "the rows are &lt;five&gt; times those recorded"));
  CHECK(holds(html, "times as long as on dram"));
}

TEST_CASE("curves without a profile are no section, and a missing profile is told") {
  CHECK(curves_section({}, {}).empty());
  CHECK(holds(curves_section({}, {"x: is <not> here"}), "x: is &lt;not&gt; here"));
  const std::string html = curves_section(device_curves(sample_forecasts().profiles), {});
  for (const char* id : {"curve-latency", "curve-threads", "curve-mix"}) CHECK(holds(html, id));
  CHECK(holds(html, "card: S4 &lt;b&gt;"));
}

}  // namespace hdbench::bench
