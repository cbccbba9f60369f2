#include "bench/report/views/pivot_text.h"

#include "engine/base/catch.h"

namespace hdbench {
namespace {

TEST_CASE("one thread is no threads") {
  CHECK(threads_text(0) == "0 threads");
  CHECK(threads_text(1) == "1 thread");
  CHECK(threads_text(2) == "2 threads");
}

TEST_CASE("a line keeps the blanks before and within it and loses those at its end") {
  CHECK(line_of("") == "\n");
  CHECK(line_of("   ") == "\n");
  CHECK(line_of("  a b  ") == "  a b\n");
}

TEST_CASE("a column is its medium, and the cache where it was run cold, too") {
  PivotColumn column{.medium = "nvme"};
  CHECK(column_title(column) == "nvme");
  column.shows_cache = true;
  CHECK(column_title(column) == "nvme warm");
  column.cache = Cache::kCold;
  CHECK(column_title(column) == "nvme cold");
}

TEST_CASE("an emulated column ends in a star, and one that is read ahead of in +p behind it") {
  PivotColumn column{.medium = "nvme", .cache = Cache::kCold, .shows_cache = true};
  column.prefetch = Prefetch::kOn;
  CHECK(column_title(column) == "nvme cold+p");
  column.emulated = true;
  CHECK(column_title(column) == "nvme cold*+p");
  column.prefetch = Prefetch::kOff;
  CHECK(column_title(column) == "nvme cold*");
}

TEST_CASE("a long profile is cut before its options, by which columns differ") {
  PivotColumn column{.medium = "memory-mode:optane-memory-mode+near=320MiB"};
  CHECK(column_argument(column, 16) == "op..+near=320MiB");
  CHECK(column_argument(column, 40) == "optane-memory-mode+near=320MiB");
  column.medium = "memory-mode:optane-memory-mode";
  CHECK(column_argument(column, 16) == "optane-memory-..");
  CHECK(cut_to("optane-memory-mode+near=2GiB", 16, "~") == "optan~+near=2GiB");
  CHECK(cut_to("a+with-options-too-long", 8, "~") == "a+with-~");
  CHECK(cut_to("", 8, "~").empty());
  CHECK(cut_to("12345678", 8, "~") == "12345678");
}

TEST_CASE("a block's title names the limit only where there is one") {
  PivotBlock block{.attr = AttrUse::kParted, .mode = Mode::k36, .threads = 2};
  CHECK(block_title(block) == "attr parted, mode 3.6, 2 threads");
  CHECK(block_title_of_all_threads(block) == "attr parted, mode 3.6");
  block.limit_mib = 512;
  CHECK(block_title(block) == "attr parted, mode 3.6, 2 threads, -w 512 MiB");
  CHECK(block_title_of_all_threads(block) == "attr parted, mode 3.6, -w 512 MiB");
}

}  // namespace
}  // namespace hdbench
