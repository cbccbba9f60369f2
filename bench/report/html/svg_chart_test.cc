#include "bench/report/html/svg_chart.h"

#include "engine/base/catch.h"

namespace hdbench {
namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("nothing to draw is no chart") {
  CHECK(to_svg({}).empty());
  CHECK(to_svg({"x", {"a"}, "MB/s", {}}).empty());
  CHECK(to_svg({"x", {"a"}, "MB/s", {{"line", {std::nullopt}}}}).empty());
  CHECK(to_svg({"x", {"a"}, "MB/s", {{"line", {0.0}}}}).empty());
}

TEST_CASE("a chart names itself and its lines, as text") {
  const std::string svg =
      to_svg({"<b>", {"4 KiB", "1 MiB"}, "MB/s", {{"mmap <x>", {10.0, 2000.0}}}});
  CHECK(svg.find("role=\"img\" aria-label=\"&lt;b&gt;") != std::string::npos);
  CHECK(svg.find("mmap &lt;x&gt;") != std::string::npos);
  CHECK(svg.find(">4 KiB</text>") != std::string::npos);
  CHECK(svg.find(">10</text>") != std::string::npos);
  CHECK(svg.find(">10000</text>") != std::string::npos);
}

TEST_CASE("a value that is missing breaks no line, and eight lines are drawn at most") {
  SvgChart chart{"x", {"a", "b", "c"}, "MB/s", {}};
  for (int k = 0; k < 10; ++k) chart.lines.push_back({"line", {1.0, std::nullopt, 3.0}});
  const std::string svg = to_svg(chart);
  CHECK(count_of(svg, "<polyline") == 8);
  CHECK(count_of(svg, "nan") == 0);
}

}  // namespace hdbench
