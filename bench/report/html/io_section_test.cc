#include "bench/report/html/html_page.h"
#include "bench/report/html/html_sections.h"
#include "bench/report/views/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench {
namespace {

IoResult result_of(const std::string& name, std::vector<double> samples) {
  IoResult result;
  result.name = name;
  result.test = "set";
  result.group = "write";
  result.unit = "MB/s";
  result.cache = "none";
  result.samples = std::move(samples);
  result.median = result.samples.empty() ? 0 : result.samples.front();
  return result;
}

SavedIo sample_io() {
  SavedIo saved;
  saved.file = "<io>.json";
  saved.run.results = {result_of("io/set/processes:1", {123}),
                       result_of("io/set/processes:1/filesystem:xfs", {200, 201, 199}),
                       result_of("io/set/processes:1/filesystem:btrfs", {100, 101, 99})};
  saved.run.results[0].published = "NVMe x24 1256 MiB/s";
  saved.run.left_out = {"ext4: mkfs.ext4 is not installed (package e2fsprogs)"};
  return saved;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("without results of io there is no section") { CHECK(io_section({}).empty()); }

TEST_CASE("an io page is whole: figures, ratios, what others published, what was left out") {
  const std::string page = io_page({sample_io()});
  CHECK(has(page, "default-src 'none'"));
  CHECK(!has(page, "<io>.json"));
  CHECK(has(page, "How many times as fast xfs is"));
  CHECK(has(page, "xfs/btrfs"));
  CHECK(has(page, ">2.00<"));
  CHECK(has(page, "NVMe x24 1256 MiB/s"));
  CHECK(has(page, "XFS/Btrfs there: write 1.5 and 2.4"));
  CHECK(has(page, "ext4: mkfs.ext4 is not installed"));
}

TEST_CASE("beside queries, io has a section and a link to it") {
  const ReportInput input = sample_input({sample_cell(1, "nvme", 100)});
  const ReportPivot pivot(input);
  CHECK(!has(html_page(pivot), "href=\"#io\""));
  const std::string page = html_page(pivot, {sample_io()});
  CHECK(has(page, "<a href=\"#io\">Storage</a>"));
  CHECK(has(page, "<section id=\"io\">"));
}

}  // namespace hdbench
