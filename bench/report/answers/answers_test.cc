#include "bench/report/answers/answers.h"

#include "bench/report/published/published.h"
#include "bench/testing/sample_report.h"
#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

bool says(const Answer& answer, const std::string& words) {
  if (answer.summary.find(words) != std::string::npos) return true;
  for (const std::string& sentence : answer.sentences) {
    if (sentence.find(words) != std::string::npos) return true;
  }
  return false;
}

CellResult on(CellResult cell, std::size_t threads) {
  cell.setting.threads = threads;
  return cell;
}

// Ratios of these two lie between 2.4 and 2.6.
std::vector<CellResult> about_two_and_a_half() {
  CellResult disk = sample_cell(1, "nvme", 100);
  disk.real_ms = {96, 100, 104};
  CellResult memory = sample_cell(1, "dram", 40);
  memory.real_ms = {38.4, 40, 41.6};
  return {disk, memory};
}

TEST_CASE("with one cell nothing can be said, and is not") {
  const SamplePivot pivot({sample_cell(1, "nvme", 100)});
  for (const auto& answer : {tier_answer(pivot), gain_answer(pivot), less_time_answer(pivot),
                             two_minutes_answer(pivot), thread_answer(pivot)}) {
    CHECK(answer.summary.find("Cannot be said") == 0);
  }
  CHECK(answers(pivot, true).size() == 8);
  CHECK(answers(pivot, false).size() == 6);
}

TEST_CASE("a tier's cost has its mean, its least and its most query") {
  const Answer answer =
      tier_answer(SamplePivot({sample_cell(1, "nvme", 100), sample_cell(2, "nvme", 100),
                               sample_cell(1, "dram", 10), sample_cell(2, "dram", 2.5)}));
  CHECK(says(answer, "Queries take 20.0 times as long on cold NVMe as in DRAM"));
  CHECK(says(answer, "cold NVMe: 20.0x"));
  CHECK(says(answer, "from 10.0x in Q01 to 40.0x in Q02; 2 slower."));
}

TEST_CASE("a tier's queries are slower, the same within 10 %, or it is not known") {
  CellResult unsure = sample_cell(3, "numa:1", 10);
  unsure.real_ms = {8, 10, 14};
  CHECK(says(tier_answer(SamplePivot({sample_cell(1, "numa:1", 20), sample_cell(1, "dram", 10),
                                      sample_cell(2, "numa:1", 10), sample_cell(2, "dram", 10),
                                      unsure, sample_cell(3, "dram", 10)})),
             "; 1 slower, 1 the same within 10 %, 1 without a difference that could be shown."));
}

TEST_CASE("a query that is slower there is said to lose, not to gain") {
  const auto summary = [](double first_ms, double second_ms) {
    return gain_answer(
               SamplePivot({sample_cell(1, "nvme", 10), sample_cell(2, "nvme", 10),
                            sample_cell(1, "dram", first_ms), sample_cell(2, "dram", second_ms)}))
        .summary;
  };
  CHECK(summary(1, 5).starts_with("Q01 gains most (10.0x) and Q02 gains least (2.00x) on DRAM"));
  CHECK(summary(1, 20).starts_with("Q01 gains most (10.0x) and Q02 loses most (0.50x) on DRAM"));
  CHECK(summary(40, 20).starts_with("Q02 loses least (0.50x) and Q01 loses most (0.25x) on DRAM"));
}

TEST_CASE("what p leaves of the bytes is said where both were run") {
  CellResult scan = sample_cell(1, "dram", 50);
  scan.setting.attr = AttrUse::kNone;
  scan.bytes_read = 80'000'000;
  CHECK(says(
      gain_answer(SamplePivot({sample_cell(1, "nvme", 100), sample_cell(1, "dram", 10), scan})),
      "p leaves 10 % of the bytes to read"));
}

TEST_CASE("60 % less time is met, missed, or cannot be said where the interval straddles") {
  const ReportInput met = sample_input({sample_cell(1, "nvme", 100), sample_cell(1, "dram", 10)});
  CHECK(less_time_answer(ReportPivot(met)).summary.find("Yes: every query") == 0);
  const ReportInput missed =
      sample_input({sample_cell(1, "nvme", 100), sample_cell(1, "dram", 50)});
  CHECK(says(less_time_answer(ReportPivot(missed)), "missed by Q01"));
  const ReportInput straddles = sample_input(about_two_and_a_half());
  const Answer answer = less_time_answer(ReportPivot(straddles));
  CHECK(says(answer, "cannot be said of Q01"));
  CHECK(says(answer, "No query is known to meet it."));
}

TEST_CASE("cached queries are in no answer about tiers, and are counted") {
  CellResult disk = sample_cell(2, "nvme", 100);
  CellResult memory = sample_cell(2, "dram", 10);
  disk.bytes_read = memory.bytes_read = 9 * kSampleBytes;
  const SamplePivot pivot(sample_run_with_caches(
      {sample_cell(1, "nvme", 900), sample_cell(1, "dram", 1), disk, memory}, kSampleBytes));
  CHECK(says(tier_answer(pivot), "1 slower; left out: 1 cached."));
  CHECK(gain_answer(pivot).summary.starts_with("Q02 alone may be judged: 10.0x (9."));
  CHECK(says(less_time_answer(pivot), "DRAM, partitioned: 1 of 1 query"));
  CHECK(says(less_time_answer(pivot), "; 1 left out, cached or above a ceiling."));
  CHECK(says(trust_answer(pivot), "1 of 4 figures are warm ones of cells that move less than 4"));
  const ReportInput all = sample_input(sample_run_with_caches(
      {sample_cell(1, "nvme", 900), sample_cell(1, "dram", 1)}, kSampleBytes));
  CHECK(gain_answer(ReportPivot(all)).summary.starts_with("Cannot be said"));
  CHECK(less_time_answer(ReportPivot(all)).summary.starts_with("Cannot be said"));
}

TEST_CASE("two minutes to 40 seconds is tried only by queries that take so long") {
  const ReportInput quick =
      sample_input({sample_cell(1, "nvme", 900), sample_cell(1, "dram", 100)});
  const Answer untried = two_minutes_answer(ReportPivot(quick));
  CHECK(untried.summary.find("It cannot be tried here") == 0);
  const ReportInput slow =
      sample_input({sample_cell(1, "nvme", 130'000), sample_cell(1, "dram", 30'000),
                    sample_cell(2, "nvme", 150'000), sample_cell(2, "dram", 60'000),
                    sample_cell(3, "nvme", 100), sample_cell(3, "dram", 90)});
  const Answer tried = two_minutes_answer(ReportPivot(slow));
  CHECK(tried.summary.find("Q01, Q02 took over 2 minutes") == 0);
  CHECK(says(tried, "within 40 s: Q01; longer: Q02; cannot be said: none"));
}

TEST_CASE("a gain at the last count leaves open what more would give") {
  SavedRun run =
      sample_run({on(sample_cell(1, "dram", 100), 1), on(sample_cell(1, "dram", 60), 2)});
  run.context.host.cpus = 8;
  const Answer answer = thread_answer(SamplePivot(std::move(run)));
  CHECK(answer.summary ==
        "DRAM, partitioned: 2 threads give 1.67x (83 % efficiency). The count beyond which "
        "nothing "
        "is gained is not reached with 2 of 8 CPUs by 1 of 1 lines (queries by medium and mode).");
  CHECK(says(answer, "; not reached with 2 of 8 CPUs by Q01."));
}

TEST_CASE("the limit is the greatest peak rounded up, and is held against what was tried") {
  CellResult large = sample_cell(2, "dram", 5);
  large.peak_workspace_bytes = (10 << 20) + 1;
  CellResult small = sample_cell(1, "dram", 5);
  small.setting.limit_mib = 8;
  const Answer answer = limit_answer(SamplePivot(
      {sample_cell(1, "dram", 5), large, small, stopped_cell(sample_cell(2, "dram", 5), 8)}));
  CHECK(answer.summary.starts_with(
      "11 MiB of hdbench's own workspace, whose bytes are not kdb+'s, hold 2 queries "));
  CHECK(says(answer, "1 completed; stopped (0N): Q02."));
}

TEST_CASE("what is emulated and how wide the widest interval is are reported") {
  const Answer answer = trust_answer(
      SamplePivot({sample_cell(1, "nvme", 100), emulated_cell(sample_cell(1, "dram", 10))}));
  CHECK(says(answer,
             "Emulated, not measured: App Direct (optane-100-6dimm) (emulated: "
             "optane-100-6dimm, model)."));
  CHECK(says(answer,
             "The emulator of Optane, App Direct was never held against a real Optane device."));
  CHECK(says(answer, "The widest interval is +-2 %"));
  CHECK(says(answer, "No cell has a ceiling"));
}

TEST_CASE("an emulated figure that is faster than memory is named") {
  const auto wall = [](double ms) {
    CellResult cell = emulated_cell(sample_cell(1, "dram", ms));
    cell.emulation_mode = EmulationMode::kWall;
    return cell;
  };
  const ReportInput slower = sample_input({sample_cell(1, "dram", 5), wall(6)});
  CHECK_FALSE(says(trust_answer(ReportPivot(slower)), "cannot be"));
  const ReportInput faster = sample_input({sample_cell(1, "dram", 5), wall(4)});
  const Answer answer = trust_answer(ReportPivot(faster));
  CHECK(says(answer, "1.25x as fast as DRAM"));
  CHECK(answer.summary.find("1 other warning.") != std::string::npos);
}

TEST_CASE("the study's queries are known by their text, blanks aside") {
  const auto reading = [](int id, const char* text) { return reading_of({id, text, {}}); };
  CHECK_FALSE(reading(1, "select from quote"));
  CHECK_FALSE(reading(12, "select * by date,col1 from quote where date=2020.01.07, col3 in `val1"));
  CHECK(reading(1, "select * by date,col1 from quote where date=2020.01.07, col3 in `val1") ==
        Reading::kBoth);
  CHECK(reading(2,
                "select * by date,col1 from quote where date within (2020.01.03 2020.01.31), "
                "col3 in `val1") == Reading::kPrinted);
  CHECK(reading(9,
                "select * by date,col1 from quote where date in (2019.11.01;2020.01.31),"
                "col3 in `val2`val1") == Reading::kCounted);
  CHECK(reading(8, "select * by col1 from quote where col3 in `val2`val1") == Reading::kBoth);
}

TEST_CASE("counts are judged at the study's own size only") {
  const auto sentence_at = [](std::uint64_t rows, std::uint64_t rows_out) {
    CellResult cell = sample_cell(8, "dram", 5);
    cell.text = "select * by col1 from quote where col3 in `val2`val1";
    cell.rows_out = rows_out;
    SavedRun run = sample_run({cell});
    run.context.datasets.front().table_rows.front().second = rows;
    return count_sentences(SamplePivot(std::move(run))).front();
  };
  CHECK(sentence_at(1000, 3).ends_with("other counts: nothing is said of them."));
  CHECK(sentence_at(kPublishedRows, 3) ==
        "db has the study's rows: 1 of 1 counts are what the text that was run must return.");
  CHECK(sentence_at(kPublishedRows, 4).ends_with("must return; Q08 returns 4, expected 3."));
}

SavedRun placed_run() {
  CellResult plain = sample_cell(1, "dram", 5);
  plain.bytes_read_by_column = {{"bid", 100}, {"ask", 0}};
  CellResult placed = sample_cell(2, "dram", 10);
  placed.setting.place = "bid,ask=cxl";
  SavedRun run = sample_run({plain, placed});
  run.context.datasets.front().columns = {{"quote", "time", 4'000'000'000, 1'000'000'000},
                                          {"quote", "bid", 3'000'000'000, 3'000'000'000},
                                          {"quote", "ask", 3'000'000'000, 0}};
  return run;
}

TEST_CASE("the columns that are read have their memory, those that are not are named") {
  const Answer answer = column_answer(SamplePivot(placed_run()));
  CHECK(answer.summary.starts_with("2 of 3 columns, 4.0 GB of 10 GB: so much memory holds all"));
  REQUIRE(answer.sentences.size() == 3);
  CHECK(answer.sentences[0] == "bid: 3.0 GB, 75 % of what is needed; 1 of 2 queries read it.");
  CHECK(answer.sentences[1].starts_with("time: 1.0 GB, 25 % of what is needed (of 4.0 GB in all"));
  CHECK(answer.sentences[2] == "Read by none, 3.0 GB: ask. They may stay on the disk.");
}

TEST_CASE("what lies on each tier is said of placed columns and of the rest") {
  const SamplePivot pivot(placed_run());
  CHECK(holdings_text(pivot, 0) == "4.0 GB in DRAM");
  CHECK(holdings_text(pivot, 1) == "1.0 GB in DRAM and 3.0 GB in CXL (bid, ask)");
  SavedRun all = placed_run();
  all.cells.back().setting.place = "all=cxl; bid=dram";
  const ReportInput other = sample_input(std::move(all));
  CHECK(holdings_text(ReportPivot(other), 1) == "1.0 GB in CXL (all) and 3.0 GB in DRAM (bid)");
}

}  // namespace
}  // namespace hdbench::bench
