#include "engine/base/new_file.h"

#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <set>

#include "engine/base/catch.h"
#include "engine/testing/files.h"

namespace hdbench {
namespace {

using testing::TemporaryDirectory;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("random names begin as asked and never repeat") {
  std::set<std::string> names;
  for (int i = 0; i < 1000; ++i) names.insert(random_name("hdbench-"));
  CHECK(names.size() == 1000);
  CHECK(names.begin()->starts_with("hdbench-"));
  CHECK(names.begin()->size() == 24);
}

TEST_CASE("a new file has its name when it is published, whole, and not before") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.json";
  {
    auto file = NewFile::make(path);
    REQUIRE(file.ok());
    REQUIRE(file->write("half").ok());
    CHECK_FALSE(std::filesystem::exists(path));
  }
  CHECK(testing::entries_in(directory.path()) == 0);
  auto file = NewFile::make(path);
  REQUIRE(file.ok());
  REQUIRE(file->write("one").ok());
  REQUIRE(file->write("").ok());
  REQUIRE(file->publish(std::nullopt).ok());
  CHECK(text_of(path) == "one");
  CHECK(testing::entries_in(directory.path()) == 1);
}

TEST_CASE("a name that is taken is not replaced unasked, and a link at it is not followed") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.json";
  const auto victim = directory.path() / "victim";
  testing::write_text(victim, "dear");
  std::filesystem::create_symlink(victim, path);
  auto file = NewFile::make(path);
  REQUIRE(file.ok());
  REQUIRE(file->write("new").ok());
  CHECK_FALSE(file->publish(std::nullopt).ok());
  CHECK(text_of(victim) == "dear");
  CHECK(std::filesystem::is_symlink(path));
  CHECK(testing::entries_in(directory.path()) == 2);
}

TEST_CASE("a file takes the place of the one it was reported, keeps its mode, and of no other") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "results.json";
  testing::write_text(path, "old");
  ::chmod(path.c_str(), 0640);
  const auto old = identity_of(path);
  REQUIRE(old);
  auto file = NewFile::make(path);
  REQUIRE(file.ok());
  REQUIRE(file->write("new").ok());
  REQUIRE(file->publish(old).ok());
  CHECK(text_of(path) == "new");
  struct stat status = {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0640);
  auto late = NewFile::make(path);
  REQUIRE(late.ok());
  CHECK_FALSE(late->publish(FileIdentity{old->device, old->inode + 12345}).ok());
  CHECK(text_of(path) == "new");
  CHECK(testing::entries_in(directory.path()) == 1);
}

TEST_CASE("no file or directory is made where there is no directory, and the place is named") {
  const TemporaryDirectory directory;
  const auto nowhere = directory.path() / "nowhere";
  for (const Error& error :
       {NewFile::make(nowhere / "x").error(), make_unnamed_file(nowhere).error(),
        make_new_directory(nowhere, "x-").error()}) {
    CHECK(error.kind == ErrorKind::kData);
    CHECK(error.message.starts_with(nowhere.string()));
  }
  CHECK_FALSE(identity_of(nowhere));
}

TEST_CASE("an unnamed file leaves no name, a new directory is its owner's alone") {
  const TemporaryDirectory directory;
  const auto file = make_unnamed_file(directory.path());
  REQUIRE(file.ok());
  CHECK(testing::entries_in(directory.path()) == 0);
  const auto made = make_new_directory(directory.path(), "hdbench-x-");
  REQUIRE(made.ok());
  struct stat status = {};
  REQUIRE(::stat(made->c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0700);
  CHECK(made->filename().string().starts_with("hdbench-x-"));
}

}  // namespace
}  // namespace hdbench
