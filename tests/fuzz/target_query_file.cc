// A file of queries: its numbers and comments, and every query's text.
#include "bench/base/layers.h"
#include "bench/model/query_list.h"
#include "queries/query_file.h"
#include "tests/fuzz/fuzz_input.h"

namespace hdbench::fuzz {
using namespace bench;
using namespace pmem;
using namespace queries;

void run_query_file(Bytes input) {
  const std::filesystem::path file = scratch() / "queries.q";
  write_file(file, input);
  const auto whole = read_whole_query_file(file);
  const auto entries = read_query_file(file);
  if (whole.ok() && entries.ok()) {
    require(whole->errors.empty() && whole->entries.size() == entries->size(), "the same entries");
  }
  const auto listed = queries_of_file(file, std::nullopt);
  if (listed.ok()) static_cast<void>(tables_of(*listed).size());
  static_cast<void>(queries_of_file(file, 1).ok());
}

}  // namespace hdbench::fuzz
