#include "datagen/build_site.h"

#include <unistd.h>

#include <fstream>

#include "datagen/scratch.h"
#include "engine/base/catch.h"

namespace hdbench::datagen {
namespace {

namespace fs = std::filesystem;

void write_text(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

}  // namespace

TEST_CASE("a trailing slash names the same database") {
  const Scratch scratch;
  for (const auto* spelling : {"db", "db/", "db//", "./db/.", "x/../db"}) {
    const auto paths = database_paths(scratch.path() / spelling);
    REQUIRE(paths.ok());
    CHECK(paths->root == scratch.path() / "db");
    CHECK(paths->partial == scratch.path() / "db.partial");
    CHECK(paths->manifest == scratch.path() / "db.manifest.json");
  }
}

TEST_CASE("a path without a name, or without a parent, is refused") {
  CHECK(database_paths("").error().kind == ErrorKind::kUsage);
  CHECK(database_paths("/").error().kind == ErrorKind::kUsage);
  const auto orphan = database_paths("/nonexistent/db");
  REQUIRE_FALSE(orphan.ok());
  CHECK(orphan.error().message.find("/nonexistent: no such directory") == 0);
}

TEST_CASE("a new database is refused where anything of it exists") {
  const Scratch scratch;
  const auto paths = database_paths(scratch.path() / "db").value();
  for (const fs::path& path : {paths.root, paths.manifest, paths.partial}) {
    fs::create_directory(path);
    const auto site = BuildSite::create(paths);
    REQUIRE_FALSE(site.ok());
    CHECK(site.error().message ==
          path.string() + ": exists: use --resume to complete it, or another path");
    fs::remove(path);
  }
  fs::create_symlink("/nonexistent/elsewhere", paths.root);
  CHECK_FALSE(BuildSite::create(paths).ok());
}

TEST_CASE("a site is held by one process and gone when it ends") {
  const Scratch scratch;
  const auto paths = database_paths(scratch.path() / "db").value();
  {
    const auto site = BuildSite::create(paths);
    REQUIRE(site.ok());
    const auto second = BuildSite::resume(paths);
    REQUIRE_FALSE(second.ok());
    CHECK(second.error().message.find("another process is making this database") !=
          std::string::npos);
    CHECK(fs::is_directory(paths.partial));
  }
  CHECK_FALSE(fs::exists(paths.partial));
}

TEST_CASE("resuming empties what was left, but not what is not the generator's") {
  const Scratch scratch;
  const auto paths = database_paths(scratch.path() / "db").value();
  fs::create_directory(paths.partial);
  write_text(paths.partial / "diary.txt", "dear");
  CHECK_FALSE(BuildSite::resume(paths).ok());
  CHECK(fs::exists(paths.partial / "diary.txt"));
  fs::remove(paths.partial / "diary.txt");
  write_text(paths.partial / "manifest.json", "{");
  CHECK(BuildSite::resume(paths).ok());

  fs::create_directory(paths.root);
  CHECK_FALSE(BuildSite::resume(paths).ok());
  write_text(paths.manifest, "{}");
  fs::create_directories(paths.partial / "2020.01.07" / "quote");
  const auto site = BuildSite::resume(paths);
  REQUIRE(site.ok());
  CHECK(fs::is_empty(paths.partial));
}

TEST_CASE("what is published has left the site for the database") {
  const Scratch scratch;
  const auto paths = database_paths(scratch.path() / "db").value();
  auto site = BuildSite::create(paths);
  REQUIRE(site.ok());
  REQUIRE(site->make_root().ok());
  REQUIRE(site->make_root().ok());
  fs::create_directories(paths.partial / "2020.01.07" / "quote");
  REQUIRE(site->publish("2020.01.07").ok());
  CHECK(fs::is_directory(paths.root / "2020.01.07" / "quote"));
  CHECK_FALSE(site->publish("2020.01.08").ok());
  REQUIRE(site->save_manifest("one").ok());
  REQUIRE(site->save_manifest("two").ok());
  CHECK(fs::file_size(paths.manifest) == 3);
  CHECK(site->free_bytes().value() > 0);
}

}  // namespace hdbench::datagen
