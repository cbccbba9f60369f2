#include "engine/base/catch.h"
#include "engine/inspect/verify.h"
#include "engine/testing/column_files.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;

using Notes = std::vector<std::string>;

struct ThreeDays {
  ThreeDays() {
    write_sym(scratch.path());
    for (const char* day : {"2020.01.07", "2020.01.08", "2020.01.09"}) {
      write_quote(scratch / day / "quote", 0, 2);
    }
  }
  Notes notes() const {
    DatabaseOptions tolerant;
    tolerant.tolerates_problems = true;
    return directory_notes(**Database::open(scratch.path(), tolerant));
  }
  std::string place(const char* name) const { return (scratch / name).string(); }

  ScratchDirectory scratch;
};

TEST_CASE("whole directories have no notes, with what kdb+ ignores beside them") {
  const ThreeDays days;
  fs::create_directories(days.scratch / "scripts");
  write_bytes(days.scratch / "scripts/load.q", bytes_of("\\l ."));
  fs::create_directories(days.scratch / "old$");
  CHECK(days.notes() == Notes{});
}

TEST_CASE("a partition without any table, or without one that others have, is noted") {
  const ThreeDays days;
  write_quote(days.scratch / "2020.01.09/trade", 0, 2);
  fs::create_directories(days.scratch / "2020.01.10/stray");
  CHECK(days.notes() == Notes{days.place("2020.01.10") + ": no table in this partition",
                              days.place("2020.01.07") +
                                  ": no table trade, which counts as empty there (kdb+ wants "
                                  ".Q.chk first) (and 1 more)"});
}

TEST_CASE("segments that share a partition lack nothing together") {
  const ThreeDays days;
  const fs::path second = days.scratch / "second";
  write_quote(second / "2020.01.09/trade", 0, 2);
  fs::create_directories(days.scratch / "first");
  fs::rename(days.scratch / "2020.01.09", days.scratch / "first/2020.01.09");
  fs::remove_all(days.scratch / "2020.01.08");
  write_bytes(days.scratch / "par.txt",
              bytes_of(days.place("first") + "\n" + second.string() + "\n"));
  CHECK(days.notes() ==
        Notes{days.place("2020.01.07") + ": a partition beside par.txt, which is not read"});
}

TEST_CASE("a segment that is named like a partition is read") {
  const ThreeDays days;
  fs::create_directories(days.scratch / "0");
  for (const char* day : {"2020.01.07", "2020.01.08", "2020.01.09"}) {
    fs::rename(days.scratch / day, days.scratch / "0" / day);
  }
  write_bytes(days.scratch / "par.txt", bytes_of(days.place("0") + "\n"));
  CHECK(days.notes() == Notes{});
}

TEST_CASE("column files at the root without a list of columns are noted") {
  const ThreeDays days;
  write_quote(days.scratch / "ref", 0, 2);
  fs::remove(days.scratch / "ref/.d");
  CHECK(days.notes() == Notes{days.place("ref") + ": column files without a .d, so no table"});
}

}  // namespace
}  // namespace hdbench
