#include "bench/base/whole_file.h"

#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>

#include "engine/base/catch.h"

namespace hdbench {
namespace {

struct TemporaryDirectory {
  TemporaryDirectory()
      : path(std::filesystem::temp_directory_path() /
             ("hdbench_whole_file_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path);
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path); }
  std::filesystem::path path;
};

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("a file is written whole, replaces the old one and leaves nothing beside it") {
  const TemporaryDirectory directory;
  const auto path = directory.path / "results.json";
  CHECK(write_whole_file(path, "").ok());
  CHECK(contents(path).empty());
  CHECK(write_whole_file(path, "new").ok());
  CHECK(contents(path) == "new");
  const auto files = std::filesystem::directory_iterator(directory.path);
  CHECK(std::distance(begin(files), end(files)) == 1);
}

TEST_CASE("a place that cannot be written is known before anything is run") {
  const TemporaryDirectory directory;
  CHECK(check_writable(directory.path / "results.json").ok());
  const Status missing = check_writable(directory.path / "nowhere" / "results.json");
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().kind == ErrorKind::kUsage);
  CHECK_FALSE(check_writable(directory.path).ok());
  CHECK_FALSE(write_whole_file(directory.path / "nowhere" / "results.json", "x").ok());
}

}  // namespace
}  // namespace hdbench
