#include "bench/base/version.h"

#include <unistd.h>

#include <fstream>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

TEST_CASE("words that a shell would change stand in quotes") {
  CHECK(shell_word("") == "''");
  CHECK(shell_word("--medium=cxl:cxl-fpga") == "--medium=cxl:cxl-fpga");
  CHECK(shell_word("a b") == "'a b'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("$HOME") == "'$HOME'");
}

TEST_CASE("the command has the program's name and every word") {
  const auto path =
      std::filesystem::temp_directory_path() / ("hdbench_cmdline_" + std::to_string(getpid()));
  std::ofstream(path, std::ios::binary) << std::string("/usr/bin/hdbench\0run\0my db\0", 27);
  CHECK(reproduce_command(path) == "hdbench run 'my db'");
  std::filesystem::remove(path);
  CHECK(reproduce_command(path).empty());
}

}  // namespace

}  // namespace hdbench::bench
