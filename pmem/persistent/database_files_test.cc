#include "pmem/persistent/database_files.h"

#include <chrono>

#include "engine/base/catch.h"
#include "pmem/testing/test_files.h"

namespace hdbench::pmem {
namespace {

using testing::TemporaryDirectory;

std::vector<ImageFile> list(const std::filesystem::path& root) {
  const auto files = list_database_files(root);
  REQUIRE(files.ok());
  return *files;
}

TEST_CASE("an empty directory has no files, a missing one is an error that names it") {
  const TemporaryDirectory directory;
  CHECK(list(directory.path()).empty());
  const auto missing = list_database_files(directory.path() / "gone");
  REQUIRE_FALSE(missing.ok());
  CHECK(testing::contains(missing.error().message, "gone"));
}

TEST_CASE("files come by rising path, with their sizes, empty ones too") {
  const TemporaryDirectory directory;
  testing::write_text(directory.path() / "sym", "abc");
  testing::write_text(directory.path() / "2024.01.02/quote/bid", "");
  testing::write_text(directory.path() / "2024.01.01/quote/bid", std::string(10000, 'x'));
  const auto files = list(directory.path());
  REQUIRE(files.size() == 3);
  CHECK(files[0].path == "2024.01.01/quote/bid");
  CHECK(files[0].bytes == 10000);
  CHECK(files[1].path == "2024.01.02/quote/bid");
  CHECK(files[1].bytes == 0);
  CHECK(files[2].path == "sym");
}

TEST_CASE("another size, time, first page or name is another database; the same is the same") {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "bid";
  testing::write_text(path, std::string(5000, 'x'));
  const auto modified = std::filesystem::last_write_time(path);
  const auto before = list(directory.path());
  CHECK(same_files(before, list(directory.path())));

  std::filesystem::last_write_time(path, modified + std::chrono::seconds(1));
  CHECK_FALSE(same_files(before, list(directory.path())));
  testing::write_text(path, std::string(4000, 'x') + std::string(1000, 'y'));
  std::filesystem::last_write_time(path, modified);
  CHECK_FALSE(same_files(before, list(directory.path())));
  testing::write_text(path, std::string(5001, 'x'));
  std::filesystem::last_write_time(path, modified);
  CHECK_FALSE(same_files(before, list(directory.path())));
  testing::write_text(path, std::string(5000, 'x'));
  std::filesystem::last_write_time(path, modified);
  CHECK(same_files(before, list(directory.path())));
  std::filesystem::rename(path, directory.path() / "ask");
  CHECK_FALSE(same_files(before, list(directory.path())));
}

}  // namespace
}  // namespace hdbench::pmem
