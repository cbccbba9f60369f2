#include "bench/base/outside_database.h"

#include "engine/base/catch.h"
#include "pmem/test_files.h"

namespace hdbench {
namespace {

TEST_CASE("a database, what lies below it and links to it are refused, its neighbours are not") {
  const testing::TemporaryDirectory directory;
  const auto database = directory.path() / "db";
  std::filesystem::create_directories(database / "2020.01.07");
  std::filesystem::create_directory(directory.path() / "db2");
  std::filesystem::create_directory_symlink(database, directory.path() / "link");
  for (const char* inside :
       {"db", "db/", "db/2020.01.07", "db/new.json", "link/new.json", "db2/../db"}) {
    const Status status = check_outside("--out", directory.path() / inside, database);
    INFO(inside);
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().kind == ErrorKind::kUsage);
    CHECK(status.error().message.starts_with("--out: "));
    CHECK(status.error().message.find("lies in the database") != std::string::npos);
  }
  for (const char* outside : {"", "db2", "db2/new.json", "new.json"}) {
    INFO(outside);
    CHECK(check_outside("--out", *outside ? directory.path() / outside : "", database).ok());
  }
}

TEST_CASE("a path that leads nowhere is refused, a database that does is not this one's to tell") {
  const testing::TemporaryDirectory directory;
  const auto loop = directory.path() / "loop";
  std::filesystem::create_symlink(loop, loop);
  const Status status = check_outside("--out", loop / "new.json", directory.path() / "db");
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().message.starts_with("--out: " + loop.string()));
  CHECK(check_outside("--out", directory.path() / "new.json", loop).ok());
  CHECK(check_outside("--out", directory.path() / "new.json", "").ok());
}

}  // namespace
}  // namespace hdbench
