// results.json: read, shown by `report` in every format, compared with itself.
#include "bench/base/layers.h"
#include "bench/report/html/html_page.h"
#include "bench/report/text/text_reports.h"
#include "bench/results/comparison.h"
#include "bench/results/results_json.h"
#include "bench/results/run_journal.h"
#include "tests/fuzz/fuzz_input.h"

namespace hdbench::fuzz {
using namespace bench;
using namespace pmem;
using namespace queries;
namespace {

// The page carries its chart library: one input in eight makes it.
bool wants_page(Bytes input) { return input.size() % 8 == 0; }

void show_run(const SavedRun& run, Bytes input) {
  const auto merged = merge_runs({run});
  if (!merged.ok()) return;
  const ReportPivot pivot(*merged);
  require(!summary_report(pivot).empty(), "a summary");
  require(!csv_report(pivot).empty(), "CSV");
  require(!markdown_report(pivot).empty(), "Markdown");
  if (!wants_page(input)) return;
  require(html_page(pivot).size() < 2 * kPageBytesMax, "a page");
}

// Its lines are results, of which the last for each cell counts.
void read_journal(Bytes input) {
  const auto journal = parse_journal(as_text(input), "fuzz.partial");
  if (!journal.ok() || !*journal) return;
  const std::string line = results_line((*journal)->context, (*journal)->cells);
  const auto again = parse_journal(line, "again.partial");
  require(again.ok() && *again, "a line that is written is read");
  require(results_line((*again)->context, (*again)->cells) == line, "and is the same");
}

}  // namespace

void run_results(Bytes input) {
  read_journal(input);
  const auto run = parse_results(as_text(input), "fuzz.json");
  if (!run.ok()) return;
  const std::string text = results_json(run->context, run->cells);
  const auto again = parse_results(text, "again.json");
  require(again.ok() && again->cells.size() == run->cells.size(), "what is written is read");
  require(results_json(again->context, again->cells) == text, "and is the same");
  show_run(*run, input);
  for (const HeldBy by : {HeldBy::kTime, HeldBy::kCeiling}) {
    const Comparison comparison = compare(*run, *again, 5, by);
    require(!comparison_text(comparison).empty() && !comparison_json(comparison).empty(),
            "a comparison");
  }
}

}  // namespace hdbench::fuzz
