#include "datagen/staging_directory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "datagen/testing/scratch.h"
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
    const auto site = StagingDirectory::create(paths);
    REQUIRE_FALSE(site.ok());
    CHECK(site.error().message ==
          path.string() + ": exists: use --resume to complete it, or another path");
    fs::remove(path);
  }
  fs::create_symlink("/nonexistent/elsewhere", paths.root);
  CHECK_FALSE(StagingDirectory::create(paths).ok());
}

TEST_CASE("what is published whole becomes the database, and never in another's place") {
  const Scratch scratch;
  const auto paths = database_paths(scratch.path() / "db").value();
  {
    auto site = StagingDirectory::create(paths, "go away").value();
    write_text(paths.partial / "sym", "x");
    fs::create_directory(paths.root);  // by somebody else, meanwhile
    const Status refused = site.publish_whole();
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().message.find("cannot rename") != std::string::npos);
    CHECK(fs::is_empty(paths.root));
  }
  CHECK_FALSE(fs::exists(paths.partial));
  CHECK(StagingDirectory::create(paths, "go away").error().message ==
        paths.root.string() + ": exists: go away");
  fs::remove(paths.root);
  {
    auto site = StagingDirectory::create(paths).value();
    write_text(paths.partial / "sym", "x");
    REQUIRE(site.publish_whole().ok());
    fs::create_directory(paths.partial);  // the next one's
  }
  CHECK(fs::exists(paths.root / "sym"));
  CHECK(fs::exists(paths.partial));
}

TEST_CASE("a site that cannot be held leaves no directory") {
  const Scratch scratch;
  const auto paths = database_paths(scratch.path() / "db").value();
  struct rlimit files;
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &files) == 0);
  const rlimit none{0, files.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);
  const auto site = StagingDirectory::create(paths);
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &files) == 0);
  REQUIRE_FALSE(site.ok());
  CHECK(site.error().message.find("cannot open") != std::string::npos);
  CHECK_FALSE(fs::exists(paths.partial));
}

TEST_CASE("a site is held by one process and gone when it ends") {
  const Scratch scratch;
  const auto paths = database_paths(scratch.path() / "db").value();
  {
    const auto site = StagingDirectory::create(paths);
    REQUIRE(site.ok());
    const auto second = StagingDirectory::resume(paths, {});
    REQUIRE_FALSE(second.ok());
    CHECK(second.error().message.find("another process is making this database") !=
          std::string::npos);
    CHECK(fs::is_directory(paths.partial));
  }
  CHECK_FALSE(fs::exists(paths.partial));
}

TEST_CASE("resuming removes what is claimed, and nothing where anything else is there") {
  const Scratch scratch;
  const auto paths = database_paths(scratch.path() / "db").value();
  const std::vector<fs::path> claimed = {"sym", "2020.01.07", "2020.01.07/quote",
                                         "2020.01.07/quote/bid"};
  fs::create_directories(paths.partial / "2020.01.07" / "quote");
  write_text(paths.partial / "2020.01.07/quote/bid", "bids");
  write_text(paths.partial / "sym", "a");
  for (const char* const foreign : {"diary.txt", "2020.01.07/quote/ask", "2020.01.07/trade"}) {
    write_text(paths.partial / foreign, "dear");
    const auto refused = StagingDirectory::resume(paths, claimed);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().kind == ErrorKind::kUsage);
    CHECK(refused.error().message.find((paths.partial / foreign).string()) == 0);
    CHECK(fs::file_size(paths.partial / foreign) == 4);
    CHECK(fs::file_size(paths.partial / "2020.01.07/quote/bid") == 4);
    fs::remove(paths.partial / foreign);
  }
  // A link under a claimed name leads elsewhere.
  fs::remove(paths.partial / "sym");
  write_text(scratch.path() / "victim", "dear");
  fs::create_symlink(scratch.path() / "victim", paths.partial / "sym");
  CHECK_FALSE(StagingDirectory::resume(paths, claimed).ok());
  fs::remove(paths.partial / "sym");
  {
    const auto site = StagingDirectory::resume(paths, claimed);
    REQUIRE(site.ok());
    CHECK(fs::is_empty(paths.partial));
  }
  CHECK(fs::file_size(scratch.path() / "victim") == 4);
  fs::create_directory(paths.root);
  CHECK_FALSE(StagingDirectory::resume(paths, claimed).ok());
}

TEST_CASE("a database is not made in another one") {
  const Scratch scratch;
  fs::create_directories(scratch.path() / "db/2020.01.07/quote");
  write_text(scratch.path() / "db/2020.01.07/quote/.d", "x");
  for (const char* const inside : {"db/2030.01.01", "db/2020.01.07/new", "db/2020.01.07/quote/x"}) {
    const auto paths = database_paths(scratch.path() / inside);
    REQUIRE_FALSE(paths.ok());
    CHECK(paths.error().kind == ErrorKind::kUsage);
  }
  CHECK(database_paths(scratch.path() / "db2").ok());
}

TEST_CASE("what is published has left the site for the database") {
  const Scratch scratch;
  const auto paths = database_paths(scratch.path() / "db").value();
  auto site = StagingDirectory::create(paths);
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
