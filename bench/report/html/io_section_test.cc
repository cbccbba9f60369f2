#include "bench/report/html/html_page.h"
#include "bench/report/html/html_sections.h"
#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
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

IoResult random_read(std::uint64_t block, double mb_per_s, std::size_t processes = 1) {
  IoResult result = result_of("io/random-read", {mb_per_s});
  result.test = "random-read";
  result.group = "read";
  result.engine = "mmap";
  result.cache = "cold";
  result.block_bytes = block;
  result.processes = processes;
  return result;
}

std::string html_of(std::vector<IoResult> results) {
  SavedIo saved;
  saved.run.results = std::move(results);
  return io_section({saved});
}

}  // namespace

TEST_CASE("one block is no chart; two are, with a line for each process count") {
  CHECK(!has(html_of({random_read(4096, 10)}), "Throughput by block"));
  const std::string html =
      html_of({random_read(65536, 100), random_read(4096, 10), random_read(4096, 18, 2)});
  CHECK(has(html, "<figcaption><b>random-read, cold</b>"));
  CHECK(html.find(">4 KiB<") < html.find(">64 KiB<"));
  CHECK(html.find("mmap, 1 process<") < html.find("mmap, 2 processes<"));
  CHECK(has(html, "&quot;values&quot;:[10.0,100.0]"));
  CHECK(has(html, "&quot;values&quot;:[18.0,null]"));
}

TEST_CASE("a figure above its ceiling is in no chart") {
  IoResult above = random_read(65536, 99999);
  above.above_ceiling = true;
  CHECK(!has(html_of({random_read(4096, 10), above}), "Throughput by block"));
}

TEST_CASE("latencies are of what is counted by the operation, and of cold random reads") {
  IoResult call = random_read(0, 0.01);
  call.test = "hcount";
  call.unit = "ms";
  call.engine = "calls";
  call.cache = "none";
  call.latency.p50 = 9000;
  IoResult read = random_read(4096, 10);
  CHECK(!has(html_of({read}), "Latency"));
  read.latency.p50 = 90000;
  IoResult warm = read;
  warm.cache = "warm";
  const std::string html = html_of({read, call, warm});
  CHECK(html.find(">hcount, calls, 1 process<") <
        html.find(">random-read, 4 KiB, mmap, 1 process<"));
  CHECK(has(html, ">90.0<"));
  CHECK(html.find("&quot;values&quot;", html.find("&quot;values&quot;:[90.0") + 1) ==
        std::string::npos);
}

TEST_CASE("of several ranks it shows each one's directory, the slowest and the spread") {
  SavedIo saved = sample_io();
  CHECK(!has(io_section({saved}), "slowest rank"));
  saved.run.ranks.resize(2);
  saved.run.ranks[1].name = "rank 1 on <b>";
  saved.run.ranks[1].targets.resize(1);
  saved.run.ranks[1].targets[0].path = "/disk";
  saved.run.results[0].rank_medians = {100, 50};
  const std::string html = io_section({saved});
  CHECK(has(html, "rank 1 on &lt;b&gt;: /disk: "));
  CHECK(has(html, "50<small>rank 1, &plusmn;33 %</small>"));
}

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
  const SamplePivot pivot({sample_cell(1, "nvme", 100)});
  CHECK(!has(html_page(pivot), "href=\"#io\""));
  const std::string page = html_page(pivot, {sample_io()});
  CHECK(has(page, "<a href=\"#io\">Storage</a>"));
  CHECK(has(page, "<section id=\"io\">"));
}

}  // namespace hdbench::bench
