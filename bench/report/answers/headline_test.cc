#include "bench/report/answers/headline.h"

#include "bench/report/answers/quality.h"
#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

bool says_headline(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

TEST_CASE("a run of one medium has nothing to be held against") {
  const Headline head = headline(SamplePivot({sample_cell(1, "dram", 10)}));
  CHECK(head.sentence == "No real tier was run beside DRAM.");
  CHECK(head.tiers.empty());
  CHECK(head.emulated_sentence.empty());
}

TEST_CASE("a tier's cost is the geometric mean of its queries, with an interval that holds it") {
  const Headline head =
      headline(SamplePivot({sample_cell(1, "nvme", 100), sample_cell(2, "nvme", 400),
                            sample_cell(1, "dram", 10), sample_cell(2, "dram", 10)}));
  REQUIRE(head.tiers.size() == 1);
  const TierCost& cost = head.tiers.front();
  REQUIRE(cost.times);
  CHECK(cost.times->value == Approx(20));
  REQUIRE(cost.times->interval);
  CHECK(cost.times->interval->low < 20);
  CHECK(cost.times->interval->high > 20);
  CHECK(cost.pairs.queries.size() == 2);
  CHECK(says_headline(head.sentence, "Queries take 20.0 times as long on cold NVMe as in DRAM ("));
  CHECK(head.basis == "Geometric means of 2 queries.");
}

TEST_CASE("emulated tiers are apart from real ones") {
  const Headline head =
      headline(SamplePivot({sample_cell(1, "nvme", 100), sample_cell(1, "dram", 10),
                            emulated_cell(sample_cell(1, "app-direct:optane-100-6dimm", 20))}));
  REQUIRE(head.tiers.size() == 2);
  CHECK_FALSE(head.tiers.front().is_emulated);
  CHECK(head.tiers.back().is_emulated);
  CHECK_FALSE(says_headline(head.sentence, "App Direct"));
  CHECK(says_headline(head.emulated_sentence,
                      "Emulated, not measured: queries take 2.00 times as long on "));
}

TEST_CASE("a query above the ceiling is in no mean, and is a caveat") {
  SavedRun run = sample_run_with_ceiling({sample_cell(1, "numa:1", 100), sample_cell(1, "dram", 10),
                                          sample_cell(2, "numa:1", 10), sample_cell(2, "dram", 1)});
  const SamplePivot pivot(std::move(run));
  const Headline head = headline(pivot);
  REQUIRE(head.tiers.size() == 1);
  CHECK(head.tiers.front().pairs.impossible == 1);
  CHECK(head.tiers.front().pairs.queries.size() == 1);
  CHECK(head.basis == "Of one query; 1 pair of cells is left out, above its ceiling.");
  REQUIRE_FALSE(gravest_caveats(pivot).empty());
  CHECK(says_headline(gravest_caveats(pivot).front(),
                      "1 of 2 figures are above what the machine can do"));
  CHECK(gravest_caveats(pivot, 0).empty());
}

TEST_CASE("without a repetition there is no interval, and it is said") {
  CellResult disk = sample_cell(1, "nvme", 100);
  CellResult memory = sample_cell(1, "dram", 10);
  disk.real_ms = {100};
  memory.real_ms = {10};
  const SamplePivot pivot({disk, memory});
  CHECK(says_headline(headline(pivot).sentence,
                      "No tier can be judged: cells were run once, so that no ratio has an "
                      "interval (--reps 5)."));
  REQUIRE_FALSE(gravest_caveats(pivot).empty());
  CHECK(says_headline(gravest_caveats(pivot).front(), "No cell was repeated"));
}

TEST_CASE("tiers that the interval does not tell apart are not said to differ") {
  CellResult disk = sample_cell(1, "numa:1", 10.2);
  disk.real_ms = {8, 10.2, 13};
  const ReportInput apart = sample_input({disk, sample_cell(1, "dram", 10)});
  CHECK(says_headline(headline(ReportPivot(apart)).sentence,
                      "No difference from DRAM could be shown on NUMA node 1 (0.7"));
  const ReportInput same = sample_input({sample_cell(1, "numa:1", 10), sample_cell(1, "dram", 10)});
  CHECK(says_headline(headline(ReportPivot(same)).sentence, "the same within 10 %"));
}

TEST_CASE("without DRAM tiers are held against the reference") {
  const Headline head =
      headline(SamplePivot({sample_cell(1, "nvme", 100), sample_cell(1, "cxl", 10)}));
  CHECK(head.base == "cold NVMe");
  CHECK(says_headline(head.sentence, "0.10 times as long on CXL as on cold NVMe"));
}

TEST_CASE("a flat table is held against flat DRAM, and a medium is there once") {
  CellResult flat = sample_cell(1, "dram", 20);
  flat.setting.layout = Layout::kFlat;
  CellResult cxl_flat = sample_cell(1, "cxl", 60);
  cxl_flat.setting.layout = Layout::kFlat;
  const ReportInput both =
      sample_input({sample_cell(1, "dram", 10), flat, sample_cell(1, "cxl", 20), cxl_flat});
  const Headline head = headline(ReportPivot(both));
  REQUIRE(head.tiers.size() == 1);
  CHECK(head.tiers.front().times->value == Approx(2));
  const ReportInput one = sample_input({sample_cell(1, "dram", 10), flat, cxl_flat});
  REQUIRE(headline(ReportPivot(one)).tiers.size() == 1);
  CHECK(headline(ReportPivot(one)).tiers.front().times->value == Approx(3));
}

CellResult moving(CellResult cell, std::uint64_t samples) {
  cell.bytes_read = samples * kSampleBytes;
  return cell;
}

TEST_CASE("cached queries are in no mean, and are counted in the basis") {
  const SamplePivot pivot(sample_run_with_caches(
      {sample_cell(1, "nvme", 900), sample_cell(1, "dram", 1), sample_cell(2, "nvme", 900),
       sample_cell(2, "dram", 1), moving(sample_cell(3, "nvme", 100), 9),
       moving(sample_cell(3, "dram", 10), 9)},
      kSampleBytes));
  const Headline head = headline(pivot);
  REQUIRE(head.tiers.size() == 1);
  CHECK(head.tiers.front().times->value == Approx(10));
  CHECK(head.is_partial);
  CHECK(head.basis ==
        "Of one query; 2 of 3 queries are left out: they move less than 4 times the last-level "
        "caches (1 MiB).");
}

TEST_CASE("where every query is cached no tier is judged, and it is said what would do") {
  const Headline head = headline(SamplePivot(sample_run_with_caches(
      {sample_cell(1, "nvme", 900), sample_cell(1, "dram", 1),
       moving(sample_cell(2, "nvme", 900), 9), moving(sample_cell(2, "dram", 1), 9)},
      18 * kSampleBytes)));
  CHECK(head.sentence ==
        "No tier can be judged: all 2 queries move less than 4 times the last-level caches (34 "
        "MiB), so that warm times are partly the caches'. A database of more rows is "
        "needed (gen --scale auto chooses).");
  CHECK(head.emulated_sentence.empty());
  CHECK_FALSE(head.is_partial);
}

TEST_CASE("an emulated tier that is not slower has the host's limit as its reason") {
  const auto sentence_at = [](double ms) {
    SavedRun run =
        sample_run({sample_cell(1, "dram", 10), emulated_cell(sample_cell(1, "dram", ms))});
    run.context.host_limits = {"app-direct:other: x",
                               "app-direct:optane-100-6dimm: read 17 GB/s, but this host has 10"};
    return headline(SamplePivot(std::move(run))).emulated_sentence;
  };
  CHECK(says_headline(sentence_at(10),
                      " Host limit: app-direct:optane-100-6dimm: read 17 GB/s, but this host has "
                      "10."));
  CHECK(says_headline(sentence_at(5), " Host limit: "));
  CHECK_FALSE(says_headline(sentence_at(20), " Host limit: "));
}

TEST_CASE("where memory changed its speed between tiers their interval allows for it") {
  SavedRun run = sample_run({sample_cell(1, "numa:1", 100), sample_cell(1, "dram", 10)});
  const auto at = [](double gb_s) {
    ThreadCeilings two;
    two.threads = 2;
    two.read_gb_s = two.copy_gb_s = {gb_s, gb_s, gb_s};
    MemoryCeilings memory;
    memory.by_threads = {two};
    return memory;
  };
  run.context.ceilings.placements = {{"dram", Layout::kPartitioned, Codes::kStored, at(60), ""},
                                     {"numa:1", Layout::kPartitioned, Codes::kStored, at(30), ""}};
  const Headline head = headline(SamplePivot(std::move(run)));
  REQUIRE(head.tiers.size() == 1);
  CHECK(head.tiers.front().memory.low == Approx(0.5));
  CHECK(head.tiers.front().memory.high == Approx(1));
  CHECK(head.tiers.front().times->value == Approx(10));
  CHECK(head.tiers.front().times->interval->low < 5.1);
  CHECK(head.tiers.front().times->interval->high > 10);
  CHECK(says_headline(head.basis, "Intervals allow for memory itself, which was up to 2 times"));
}

}  // namespace
}  // namespace hdbench::bench
