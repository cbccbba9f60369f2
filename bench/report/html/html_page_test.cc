#include "bench/report/html/html_page.h"

#include <nlohmann/json.hpp>

#include "bench/report/html/html_sections.h"
#include "bench/report/html/html_text.h"
#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST_CASE("text cannot become markup") {
  CHECK(html_escaped("").empty());
  CHECK(html_escaped("a<b & \"c\" 'd'>") == "a&lt;b &amp; &quot;c&quot; &#39;d&#39;&gt;");
  CHECK(html_escaped(std::string("\0\x1b\t", 3)) == R"(\u0000\u001b)"
                                                    "\t");
}

TEST_CASE("a document in a script cannot end it") {
  CHECK(script_safe(R"({"a":"</script><!--"})") == R"({"a":"\u003c/script>\u003c!--"})");
}

TEST_CASE("a table has a caption and headers with a scope") {
  const std::string html =
      to_html({"a < b", {{"query", ""}, {"ms", "n"}}, {{{"Q01", ""}, {"1", "n"}}}});
  CHECK(html.find("<caption><span>a &lt; b</span></caption>") != std::string::npos);
  CHECK(html.find("<th scope=\"col\" class=\"n\">ms</th>") != std::string::npos);
  CHECK(html.find("<th scope=\"row\">Q01</th><td class=\"n\">1</td>") != std::string::npos);
}

TEST_CASE("a hostile query, path and label stay text") {
  CellResult cell = sample_cell(1, "nvme", 10);
  cell.text = "</script><script>alert(1)</script><!-- {{css}}";
  cell.medium_label = "<img src=x onerror=alert(1)>";
  SavedRun run = sample_run({cell}, "<b>.json");
  run.context.datasets.front().database = "/data/<i>\"{{model}}";
  const ReportInput input = sample_input(std::move(run));
  const std::string page = html_page(ReportPivot(input));
  CHECK(page.find("alert(1)</script>") == std::string::npos);
  CHECK(page.find("<img") == std::string::npos);
  CHECK(page.find("<b>.json") == std::string::npos);
  CHECK(page.find("{{css}}") != std::string::npos);  // as text, not filled in
  CHECK(count_of(page, "<script") == 3);
}

TEST_CASE("the page asks for nothing, and its model is JSON") {
  const ReportInput input = sample_input({sample_cell(1, "nvme", 100), sample_cell(1, "dram", 10),
                                          stopped_cell(sample_cell(1, "dram", 5), 8)});
  const std::string page = html_page(ReportPivot(input));
  CHECK(page.size() < kPageBytesMax);
  CHECK(page.find("default-src 'none'") != std::string::npos);
  CHECK(page.find("Released under the MIT License") != std::string::npos);
  CHECK(page.find("Permission is hereby granted") != std::string::npos);
  const std::string open = "id=\"model\">";
  const std::size_t begin = page.find(open) + open.size();
  const auto json =
      nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  CHECK(json["columns"].size() == 2);
  CHECK(json["limit"]["limits"] == nlohmann::json{8});
}

TEST_CASE("a cached cell has a mark that the page explains, and is in no mean") {
  const auto page_of = [](std::uint64_t bytes) {
    return html_page(SamplePivot(
        sample_run_with_caches({sample_cell(1, "nvme", 100), sample_cell(2, "nvme", 100),
                                sample_cell(1, "dram", 10), sample_cell(2, "dram", 10)},
                               bytes)));
  };
  const std::string page = page_of(kSampleBytes);
  CHECK(count_of(page, "last-level caches; in no mean\">c</abbr>") == 2);
  CHECK(page.find("<b>c</b>: the cell moves less than 4 times") != std::string::npos);
  CHECK(page.find("title=\"left out: 2 cached\">0 of 2</abbr>") != std::string::npos);
  CHECK(page.find("<b>?</b>") == std::string::npos);
  CHECK(page.find("No tier can be judged") != std::string::npos);
  CHECK(page_of(0).find("<b>c</b>") == std::string::npos);
}

TEST_CASE("a peer's time, its ratio and what it ran are beside the query, and the mean below") {
  CellResult own = sample_cell(1, "dram", 10);
  own.setting.layout = Layout::kFlat;
  own.name_of_query = "bars of a day";
  CellResult peer = own;
  peer.peer = PeerLabel{"duckdb", "2.0", "enum", "table", "SELECT a < b", {}};
  for (double& ms : peer.real_ms) ms *= 3;
  CellResult silent = own;
  silent.peer = PeerLabel{"datafusion", "55", "dictionary", "table", "", {}};
  silent.real_ms.clear();
  silent.error = "there is no such join";
  const ReportInput input = sample_input({own, peer, silent});
  const std::string page = html_page(ReportPivot(input));
  const std::string section = page.substr(page.find("<section id=\"peers\">"));
  CHECK(section.find("bars of a day</span>") < section.find("3.00x hdbench's time"));
  CHECK(section.find("<p>duckdb 2.0: <code>SELECT a &lt; b</code></p>") != std::string::npos);
  CHECK(section.find("<small>there is no such join</small>") != std::string::npos);
  CHECK(section.find("Geometric mean</span>") != std::string::npos);
  CHECK(section.find("<p>datafusion") == std::string::npos);
}

TEST_CASE("a run of very many cells still fits, and says what it leaves out") {
  std::vector<CellResult> cells;
  for (int query = 1; query <= 11; ++query) {
    for (std::size_t threads = 1; threads <= 64; ++threads) {
      for (const char* medium : {"nvme", "dram", "cxl", "memory-mode"}) {
        CellResult cell = sample_cell(query, medium, 10);
        cell.setting.threads = threads;
        cell.real_ms.resize(1);
        cells.push_back(std::move(cell));
      }
    }
  }
  const ReportInput input = sample_input(std::move(cells));
  const std::string page = html_page(ReportPivot(input));
  CHECK(page.size() < kPageBytesMax);
}

std::string first_screen(std::vector<CellResult> cells) {
  return headline_section(SamplePivot(std::move(cells)));
}

bool screen_has(const std::string& html, const std::string& part) {
  return html.find(part) != std::string::npos;
}

TEST_CASE("the first screen has a sentence, a chart with its figures, and what to doubt") {
  const std::string html = first_screen({sample_cell(1, "nvme", 100), sample_cell(1, "dram", 10),
                                         emulated_cell(sample_cell(1, "dram", 20))});
  CHECK(screen_has(html, "Queries take 10.0 times as long on cold NVMe as in DRAM"));
  CHECK(screen_has(html, "<p class=\"second\">Emulated, not measured: "));
  CHECK(screen_has(html, "chart-tiers"));
  CHECK(screen_has(html, "<b>10.0x</b>"));
  CHECK(screen_has(html, "What to doubt first"));
}

}  // namespace
}  // namespace hdbench::bench
