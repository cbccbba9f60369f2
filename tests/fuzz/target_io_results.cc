// results.json of `hdbench io`: read, shown, compared with itself.
#include "bench/base/layers.h"
#include "bench/report/html/html_page.h"
#include "bench/results/results_json.h"
#include "bench/storage/io_results.h"
#include "engine/testing/zip_files.h"
#include "tests/fuzz/fuzz_input.h"

namespace hdbench::fuzz {
using namespace bench;
using namespace pmem;
using namespace queries;

void run_io_results(Bytes input) {
  const std::filesystem::path file = scratch() / "io.json";
  write_file(file, input);
  const bool is_io = is_io_results(file);
  const auto saved = read_io_results(file);
  require(is_io || !saved.ok(), "only io's results are read as such");
  static_cast<void>(read_results(file).ok());
  if (!saved.ok()) return;
  require(!io_table(saved->run).empty() && !io_markdown(saved->run).empty(), "tables");
  require(!io_csv(saved->run).empty(), "CSV");
  const std::vector<SavedIo> side{*saved};
  require(!comparison_text(compare_io(side, side, 5)).empty(), "a comparison");
  constexpr std::size_t kPageEvery = 8;
  if (input.size() % kPageEvery == 0) require(!io_page(side).empty(), "a page");
  write_file(file, bytes_of(io_json(saved->run, saved->command)));
  require(read_io_results(file).ok(), "what is written is read");
}

}  // namespace hdbench::fuzz
