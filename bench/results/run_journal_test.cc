#include "bench/results/run_journal.h"

#include <sys/resource.h>

#include <csignal>
#include <filesystem>

#include "bench/results/results_json.h"
#include "engine/base/catch.h"
#include "engine/testing/files.h"

namespace hdbench::bench {
namespace {

namespace fs = std::filesystem;
using testing::file_text;
using testing::TemporaryDirectory;

CellResult timed_cell(int query, std::vector<double> times) {
  CellResult cell;
  cell.query = query;
  cell.text = "select from quote\nwhere bid>1";
  cell.setting.medium = "dram";
  cell.visits = {times.size()};
  cell.cpu_ms = times;
  cell.real_ms = std::move(times);
  cell.rows_out = 8;
  cell.checksum = 7;
  return cell;
}

RunContext context_at(const std::string& date, double elapsed_s = 5) {
  RunContext context;
  context.elapsed_s = elapsed_s;
  context.date = date + "T10:00:00+0000";
  context.version = "0.1.0";
  context.complete = false;
  return context;
}

// A directory with a journal beside results.json.
struct Kept {
  Kept() { REQUIRE(journal.begin(results()).ok()); }
  OutputFile results() const { return {"--out", directory.path() / "results.json", false}; }
  fs::path path() const { return directory.path() / "results.json.partial"; }
  void append(const std::vector<CellResult>& all, const std::vector<CellResult>& changed) {
    REQUIRE(journal.append(context_at("2026-01-02"), all, changed).ok());
  }
  SavedRun read() const {
    auto run = read_unfinished(results().path, path());
    INFO((run.ok() ? "" : run.error().message));
    REQUIRE(run.ok());
    REQUIRE(*run);
    return std::move(**run);
  }

  TemporaryDirectory directory;
  RunJournal journal;
};

TEST_CASE("a journal that has grown large is replaced only by a whole one") {
  Kept kept;
  CellResult cell = timed_cell(1, {1});
  cell.text = std::string(200'000, 'x');
  kept.append({cell}, {cell});
  const auto first_bytes = fs::file_size(kept.path());
  for (int round = 0; round < 20; ++round) {
    cell.real_ms.push_back(2);
    cell.cpu_ms.push_back(2);
    cell.visits = {cell.real_ms.size()};
    kept.append({cell}, {cell});
    CHECK(fs::file_size(kept.path()) < 8 * first_bytes);
    CHECK(kept.read().cells.front().real_ms.size() == cell.real_ms.size());
  }
  // Where the new one cannot be written the old one stays.
  while (fs::file_size(kept.path()) <= 5 * first_bytes) kept.append({cell}, {cell});
  fs::permissions(kept.directory.path(), fs::perms::owner_read | fs::perms::owner_exec);
  const Status status = kept.journal.append(context_at("2026-01-02"), {cell}, {cell});
  fs::permissions(kept.directory.path(), fs::perms::owner_all);
  if (!status.ok()) CHECK(kept.journal.is_there());  // root may write it all the same
  CHECK(kept.read().cells.front().real_ms.size() == cell.real_ms.size());
}

TEST_CASE("two dates of different offsets are compared as moments") {
  Kept kept;
  kept.append({timed_cell(1, {1})}, {});
  RunContext later = context_at("");
  later.date = "2026-01-02T09:30:00-0100";  // 10:30 in UTC
  REQUIRE(write_output(kept.results(), results_json(later, {timed_cell(1, {1, 2})})).ok());
  CHECK(kept.read().cells.front().real_ms.size() == 2);
}

TEST_CASE("a journal of nothing says nothing, and where no file is written none is kept") {
  const auto none = parse_journal("", "j");
  REQUIRE(none.ok());
  CHECK_FALSE(*none);
  RunJournal journal;
  REQUIRE(journal.begin({"--out", "/dev/null", false}).ok());
  CHECK_FALSE(journal.is_there());
  CHECK(journal.append({}, {}, {}).ok());
  const TemporaryDirectory directory;
  const auto unfinished = read_unfinished(directory.path() / "r.json", {});
  REQUIRE(unfinished.ok());
  CHECK_FALSE(*unfinished);
}

TEST_CASE("the last line of a cell counts, and the first has all") {
  Kept kept;
  CHECK_FALSE(kept.journal.is_there());
  kept.append({timed_cell(1, {5}), timed_cell(2, {6})}, {timed_cell(2, {6})});
  CHECK(kept.journal.is_there());
  kept.append({}, {timed_cell(2, {6, 7}), timed_cell(3, {8})});
  const SavedRun run = kept.read();
  CHECK(run.file == kept.path().string());
  REQUIRE(run.cells.size() == 3);
  CHECK(run.cells[0].real_ms == std::vector<double>{5});
  CHECK(run.cells[1].real_ms == std::vector<double>{6, 7});
  CHECK(run.cells[2].query == 3);
  CHECK(run.cells[2].text == timed_cell(3, {}).text);
  // Once results.json has them it begins anew.
  kept.journal.begin_anew();
  kept.append({timed_cell(4, {1})}, {});
  CHECK(kept.read().cells.size() == 1);
  kept.journal.remove();
  CHECK(testing::entries_in(kept.directory.path()) == 0);
}

TEST_CASE("a line that was cut short is left out, wherever that was; a wrong one has its number") {
  const std::string first = results_line(context_at("2026-01-02"), {timed_cell(1, {5})});
  const std::string second = results_line(context_at("2026-01-02"), {timed_cell(1, {5, 6})});
  for (std::size_t bytes = 0; bytes < second.size(); bytes += 97) {
    const auto run = parse_journal(first + second.substr(0, bytes), "j");
    REQUIRE(run.ok());
    CHECK((*run)->cells[0].real_ms.size() == 1);
  }
  CHECK((*parse_journal(first + second, "j"))->cells[0].real_ms.size() == 2);
  CHECK_FALSE(*parse_journal(first.substr(0, first.size() - 1), "j"));
  const auto wrong = parse_journal(first + "{}\n" + second, "j");
  REQUIRE_FALSE(wrong.ok());
  CHECK(wrong.error().kind == ErrorKind::kData);
  CHECK(wrong.error().message.starts_with("j: line 2: "));
}

TEST_CASE("of results and journal the later one is gone on from") {
  Kept kept;
  kept.append({timed_cell(1, {5})}, {});
  const auto results_at = [&](const std::string& date, double elapsed_s = 5) {
    const std::vector<CellResult> cells = {timed_cell(1, {1, 2}), timed_cell(2, {3})};
    REQUIRE(write_output(kept.results(), results_json(context_at(date, elapsed_s), cells)).ok());
    return kept.read().cells.size();
  };
  CHECK(results_at("2026-01-01") == 1);
  CHECK(results_at("2026-01-02", 4.5) == 1);
  CHECK(results_at("2026-01-02", 5.5) == 2);
  CHECK(results_at("2026-01-03") == 2);
}

TEST_CASE("another's file is never the journal, nor what a link leads to in a database") {
  const TemporaryDirectory directory;
  const OutputFile results{"--out", directory.path() / "r.json", false};
  const fs::path path = directory.path() / "r.json.partial";
  testing::write_text(path, "dear diary");
  RunJournal journal;
  CHECK_FALSE(journal.begin(results).ok());
  CHECK(journal.append(context_at("2026-01-02"), {}, {}).ok());
  journal.remove();
  CHECK(file_text(path) == "dear diary");
  fs::remove(path);
  const fs::path database = directory.path() / "db";
  fs::create_directories(database / "2020.01.01" / "quote");
  testing::write_text(database / "2020.01.01" / "quote" / ".d", "\xff\x01");
  fs::create_symlink(database / "new.json", path);
  CHECK_FALSE(journal.begin(results).ok());
  CHECK(journal.append(context_at("2026-01-02"), {}, {}).ok());
  CHECK_FALSE(fs::exists(database / "new.json"));
}

// Files may have no more bytes than these: as on a full disk, a part of a line is written.
class SmallFiles {
 public:
  explicit SmallFiles(rlim_t bytes) : before_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &limit_);
    const rlimit small{bytes, limit_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallFiles() {
    ::setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, before_);
  }

 private:
  void (*before_)(int);
  rlimit limit_ = {};
};

TEST_CASE("a full disk keeps what was there, and ends the journal with one error") {
  Kept kept;
  kept.append({timed_cell(1, {5})}, {});
  const std::string before = file_text(kept.path());
  {
    const SmallFiles small(before.size() + 10);
    const Status failed =
        kept.journal.append(context_at("2026-01-02"), {}, {timed_cell(1, {5, 6})});
    REQUIRE_FALSE(failed.ok());
    CHECK(failed.error().kind == ErrorKind::kData);
    CHECK(testing::contains(failed.error().message, "results.json.partial: cannot be written"));
  }
  CHECK(file_text(kept.path()) == before);
  CHECK(kept.read().cells[0].real_ms.size() == 1);
  kept.append({}, {timed_cell(1, {5, 6})});  // nothing any more
  CHECK(kept.read().cells[0].real_ms.size() == 1);
  // It would be out of date beside newer results.
  kept.journal.begin_anew();
  CHECK_FALSE(kept.journal.is_there());
  kept.append({timed_cell(1, {5})}, {});
  CHECK_FALSE(kept.journal.is_there());
}

}  // namespace
}  // namespace hdbench::bench
