#include "bench/report/text/text_reports.h"
#include "bench/testing/sample_ranks.h"

namespace hdbench::bench {
namespace {

TEST_CASE("the tables of ranks fit a terminal, and there are none without ranks") {
  const ReportInput input = input_of_ranks({shared_run({shared_cell(11, 123456, 3, 0.5)})});
  const std::string text = ranks_part(input, {80});
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    INFO(text.substr(begin, end - begin));
    // A setting's name has no place to be folded at, and a character has two bytes.
    if (text.find("medium:", begin) > end) CHECK(end - begin <= 81);
  }
  CHECK(text.find("efficiency") != std::string::npos);
  CHECK(ranks_part(sample_input({sample_cell(1, "dram", 2)}), {80}).empty());
}

}  // namespace
}  // namespace hdbench::bench
