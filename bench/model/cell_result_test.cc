#include "bench/model/cell_result.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

CellResult visit_of(std::vector<double> times) {
  CellResult cell;
  cell.query = 3;
  cell.cpu_ms = times;
  cell.real_ms = std::move(times);
  cell.rows_out = 8;
  cell.peak_workspace_bytes = 10;
  cell.resident_min_bytes = 5;
  cell.resident_max_bytes = 6;
  return cell;
}

TEST_CASE("visits to a cell stand one after the other, with the most and least of all") {
  CellResult cell;
  add_reload(cell, visit_of({4, 2}), 0);
  CHECK(cell.visits == std::vector<std::size_t>{2});
  CellResult second = visit_of({1, 5, 3});
  second.peak_workspace_bytes = 9;
  second.resident_min_bytes = 4;
  second.resident_max_bytes = 7;
  second.device_bytes = 2;
  add_reload(cell, second, 1);
  CHECK(cell.query == 3);
  CHECK(cell.real_ms == std::vector<double>{4, 2, 1, 5, 3});
  CHECK(cell.cpu_ms == cell.real_ms);
  CHECK(cell.visits == std::vector<std::size_t>{2, 3});
  CHECK(cell.times().visits.size() == 2);
  CHECK(median_ms(cell) == 3.0);
  CHECK(cell.peak_workspace_bytes == 10);
  CHECK(cell.resident_min_bytes == 4);
  CHECK(cell.resident_max_bytes == 7);
  CHECK(cell.device_bytes == std::uint64_t{2});
  keep_reloads(cell, 1);
  CHECK(cell.real_ms == std::vector<double>{4, 2});
  CHECK(cell.cpu_ms == cell.real_ms);
  CHECK(cell.visits == std::vector<std::size_t>{2});
  keep_reloads(cell, 4);
  CHECK(cell.real_ms.size() == 2);
}

TEST_CASE("an error of any visit leaves no figure") {
  CellResult failed = visit_of({});
  failed.error = "bytes elsewhere";
  failed.rows_out.reset();
  CellResult cell;
  add_reload(cell, visit_of({4, 2}), 0);
  add_reload(cell, failed, 1);
  CHECK(cell.error == "bytes elsewhere");
  CHECK_FALSE(median_ms(cell));
  CHECK(cell.visits == std::vector<std::size_t>{2});
  CHECK(cell.error_visit == 1);
  CellResult other;
  add_reload(other, failed, 0);
  add_reload(other, visit_of({4, 2}), 1);
  CHECK(other.error == "bytes elsewhere");
  CHECK_FALSE(median_ms(other));
}

TEST_CASE("whoever goes on from a visit leaves out what a later one failed with") {
  CellResult failed = visit_of({7});
  failed.error = "another result";
  failed.checksum = 9;
  CellResult cell;
  add_reload(cell, visit_of({4, 2}), 0);
  add_reload(cell, failed, 1);
  CellResult of_both = cell;
  keep_reloads(of_both, 2);
  CHECK(of_both.error == "another result");
  keep_reloads(cell, 1);
  CHECK_FALSE(cell.error);
  CHECK_FALSE(cell.checksum);
  add_reload(cell, visit_of({3, 5}), 1);
  CHECK(median_ms(cell) == 3.5);
  CHECK(cell.visits == std::vector<std::size_t>{2, 2});
}

TEST_CASE("a CPU time is no figure where one of them is not known") {
  CellResult cell = visit_of({2, 2, 2});
  cell.setting.threads = 2;
  cell.cpu_ms = {3, 3, 4};
  CHECK(median_cpu_ms(cell) == 3.0);
  cell.cpu_ms = {3, 0, 3};  // one is not known
  CHECK_FALSE(median_cpu_ms(cell));
  cell.cpu_ms.clear();
  CHECK_FALSE(median_cpu_ms(cell));
  CHECK_FALSE(median_cpu_ms(CellResult{}));
}

TEST_CASE("equal checksums are fine, and queries do not mix") {
  ChecksumLedger ledger;
  CHECK(ledger.add(1, "Q01/a", 7).ok());
  CHECK(ledger.add(1, "Q01/b", 7).ok());
  CHECK(ledger.add(2, "Q02/a", 8).ok());
}

TEST_CASE("a checksum that differs names both cells") {
  ChecksumLedger ledger;
  CHECK(ledger.add(1, "Q01/a", 0x10).ok());
  const Status status = ledger.add(1, "Q01/b", 0x20);
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().kind == ErrorKind::kMismatch);
  CHECK(status.error().message ==
        "Q01/b: checksum 0000000000000020, but Q01/a gave 0000000000000010: the results differ");
}

}  // namespace

}  // namespace hdbench::bench
