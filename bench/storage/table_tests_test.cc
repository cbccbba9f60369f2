#include "bench/storage/io_tests.h"
#include "engine/base/catch.h"
#include "engine/storage/column_file.h"
#include "engine/storage/page_cache_store.h"
#include "engine/storage/parted_index.h"
#include "engine/testing/scratch_files.h"

namespace hdbench::bench {
namespace {

Status run_one(const std::string& name, IoTask task) {
  std::vector<IoTest> tests;
  add_table_tests(tests);
  for (const IoTest& test : tests) {
    if (test.test != name) continue;
    task.test = &test;
    const auto told = run_processes(1, 1, [&](Worker& worker) { return test.work(worker, task); });
    if (!told.ok()) return told.error();
    return told->front().checked ? ok_status() : data_error("not checked");
  }
  return data_error("no such test");
}

TEST_CASE("a table is sorted, flushed and parted as kdb+ would read it") {
  const ScratchDirectory place;
  IoTask task;
  task.directory = place.path();
  task.vectors.large = 20000;
  for (const char* name : {"sort", "sync-sorted", "apply-parted", "sync-parted"}) {
    const Status status = run_one(name, task);
    INFO((status.ok() ? std::string() : status.error().message));
    CHECK(status.ok());
  }
  REQUIRE(make_domain(place / "sym").ok());
  const auto store = make_page_cache_store();
  Domains domains(place.path());
  const auto column = read_column(place / "table" / "sym", *store, domains);
  REQUIRE(column.ok());
  CHECK(column->rows == 20000);
  CHECK(column->attribute == Attribute::kParted);
  const auto index = parted_index(*column);
  REQUIRE(index.ok());
  REQUIRE(*index != nullptr);
  CHECK((*index)->offsets.back() == 20000);
  CHECK((*index)->keys.size() > 3900);
}

}  // namespace
}  // namespace hdbench::bench
