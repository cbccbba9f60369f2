#include "engine/base/write_guard.h"

#include <stdlib.h>

#include "engine/base/catch.h"
#include "engine/testing/files.h"

namespace hdbench {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryDirectory;
using testing::write_text;

void make_table(const fs::path& directory) { write_text(directory / ".d", "x"); }

bool is_refused(const fs::path& path) {
  const Status status = check_outside_databases("--out", path);
  if (status.ok()) return false;
  CHECK(status.error().kind == ErrorKind::kUsage);
  CHECK(status.error().message.starts_with("--out: "));
  CHECK(testing::contains(status.error().message, ": give a path outside"));
  return true;
}

TEST_CASE("a path is resolved through every link, and what is not there is kept") {
  const TemporaryDirectory directory;
  const fs::path root = fs::canonical(directory.path());
  fs::create_directories(root / "a/b");
  fs::create_symlink("a", root / "link");
  fs::create_symlink(root / "link/b", root / "second");
  fs::create_symlink("nowhere/x", root / "dangling");
  CHECK(resolve_path(root / "second/new.json")->path == root / "a/b/new.json");
  CHECK(resolve_path(root / "second/..")->path == root / "a");
  CHECK(resolve_path(root / "dangling")->path == root / "nowhere/x");
  CHECK(resolve_path(root / "a/./b//c/../d")->path == root / "a/b/d");
  CHECK(resolve_path("/")->path == "/");
  fs::create_symlink("loop", root / "loop");
  const auto loop = resolve_path(root / "loop");
  REQUIRE_FALSE(loop.ok());
  CHECK(testing::contains(loop.error().message, "too many links"));
  write_text(root / "file", "x");
  CHECK_FALSE(resolve_path(root / "file/x").ok());
}

TEST_CASE("every part of a database is found from below, and its neighbours are free") {
  const TemporaryDirectory directory;
  const fs::path root = directory.path();
  make_table(root / "db/2020.01.07/quote");
  make_table(root / "splayed/trade");
  write_text(root / "par/par.txt", "/nowhere\n");
  write_text(root / "fresh/sym", "\xff\x01\x0b");
  make_table(root / "segment/2020.01/quote");
  make_table(root / "ints/42/quote");
  for (const char* const inside :
       {"db", "db/", "db/new.json", "db/2030.01.01", "db/deep/new.json", "db/2020.01.07/x",
        "db/2020.01.07/quote/bid", "splayed/x", "splayed/trade/.d", "par/x", "fresh/sym",
        "fresh/x/y", "segment/x", "ints/x", "other/../db/x"}) {
    INFO(inside);
    CHECK(is_refused(root / inside));
  }
  fs::create_directory(root / "other");
  write_text(root / "notes/sym", "plain text");
  fs::create_directories(root / "years/2020/report");
  for (const char* const outside :
       {"new.json", "other", "other/x", "db.json", "nowhere/x", "notes/x", "years/2020/x"}) {
    INFO(outside);
    CHECK_FALSE(is_refused(root / outside));
  }
  CHECK_FALSE(is_refused(""));
}

TEST_CASE("a link into a database is found, and so is a directory that a database links to") {
  const TemporaryDirectory directory;
  const fs::path root = directory.path();
  make_table(root / "db/2020.01.07/quote");
  make_table(root / "elsewhere/old/quote");
  fs::create_directory(root / "elsewhere/empty");
  fs::create_directory_symlink(root / "elsewhere/old", root / "db/2020.01.08");
  fs::create_directory_symlink(root / "elsewhere/empty", root / "db/2020.01.09");
  fs::create_symlink(root / "db/sym", root / "link.json");
  fs::create_directory_symlink(root / "db", root / "dblink");
  CHECK(is_refused(root / "link.json"));
  CHECK(is_refused(root / "dblink/x"));
  CHECK(is_refused(root / "elsewhere/old/x"));
  CHECK(is_refused(root / "db/2020.01.09/x"));
  CHECK_FALSE(is_refused(root / "elsewhere/empty/x"));
  // Only the database itself can tell of a directory that looks like nothing.
  CHECK_FALSE(check_outside("--out", root / "elsewhere/empty/x", root / "db").ok());
  CHECK(check_outside("--out", root / "elsewhere/x", root / "db").ok());
}

TEST_CASE("segments of par.txt are parts of their database, empty ones too") {
  const TemporaryDirectory directory;
  const fs::path root = directory.path();
  fs::create_directories(root / "disk1");
  fs::create_directories(root / "disk2");
  write_text(root / "db/par.txt", (root / "disk1").string() + "\r\n../disk2\n\n");
  for (const char* const inside : {"db/x", "disk1/x", "disk2", "disk2/deep/x"}) {
    const Status status = check_outside("--out", root / inside, root / "db");
    INFO(inside);
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().kind == ErrorKind::kUsage);
    CHECK(status.error().message.starts_with("--out: "));
  }
  CHECK(check_outside("--out", root / "x", root / "db").ok());
  CHECK(check_outside("--out", "", root / "db").ok());
  CHECK(check_outside("--out", root / "x", root / "gone").ok());
  CHECK(check_outside("--out", root / "x", "").ok());
}

TEST_CASE("a file of kdb+'s is known by how it begins") {
  using namespace std::string_view_literals;
  for (const std::string_view head : {"\xff\x01\x0b\x00"sv, "\xfe\x20\x07\x00"sv,
                                      "\xfd\x20\x61\x00"sv, "\xfd\x00"sv, "kxzipped"sv}) {
    CHECK(begins_as_kdb_file(head));
  }
  for (const std::string_view head : {""sv, "\xff"sv, "{"sv, "<!DOCTYPE html>"sv, "\xfd\x01"sv}) {
    CHECK_FALSE(begins_as_kdb_file(head));
  }
}

TEST_CASE("temporary files do not go into a database either") {
  const TemporaryDirectory directory;
  make_table(directory.path() / "db/2020.01.07/quote");
  const char* const before = ::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", (directory.path() / "db").c_str(), 1);
  CHECK_FALSE(temporary_directory().ok());
  ::setenv("TMPDIR", (directory.path() / "gone").c_str(), 1);
  const auto gone = temporary_directory();
  REQUIRE_FALSE(gone.ok());
  CHECK(gone.error().message.starts_with("TMPDIR: "));
  ::setenv("TMPDIR", directory.path().c_str(), 1);
  CHECK(temporary_directory().value() == directory.path());
  if (before == nullptr) {
    ::unsetenv("TMPDIR");
  } else {
    ::setenv("TMPDIR", kept.c_str(), 1);
  }
}

}  // namespace
}  // namespace hdbench
