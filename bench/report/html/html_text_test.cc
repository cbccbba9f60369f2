#include "bench/report/html/html_text.h"

#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("words have the meaning that the glossary gives them") {
  CHECK(glossary_terms().size() > 40);
  CHECK(meaning_of("").empty());
  CHECK(meaning_of("no such word").empty());
  CHECK(meaning_of("Warm") == meaning_of("cold"));
  CHECK(meaning_of("CXL").find("Compute Express Link") != std::string::npos);
  CHECK(html_term("no < word") == "no &lt; word");
  CHECK(html_term("flat").find("data-meaning=\"layout: ") != std::string::npos);
}

TEST_CASE("a medium is of one of four families") {
  CHECK(tier_family("nvme:pm1743") == "nvme");
  CHECK(tier_family("numa:1") == "dram");
  CHECK(tier_family("memory-mode:optane-100-6dimm") == "pmem");
  CHECK(tier_family("cxl") == "cxl");
}

TEST_CASE("a label is cut into chips, and emulation is one of them") {
  const SamplePivot pivot({sample_cell(1, "nvme", 100), emulated_cell(sample_cell(1, "dram", 20))});
  CHECK(chips_of(pivot.column(0)) == std::vector<std::string>{"NVMe", "partitioned", "cold"});
  const auto chips = chips_of(pivot.column(1));
  CHECK(chips.front() == "App Direct");
  CHECK(chips[1] == "optane-100-6dimm");
  CHECK(chips.back() == "emulated");
  const std::string html = html_chips(pivot.column(1));
  CHECK(html.find("tier t-pmem") != std::string::npos);
  CHECK(html.find("title=\"emulated: optane-100-6dimm, model: ") != std::string::npos);
}

}  // namespace
}  // namespace hdbench::bench
