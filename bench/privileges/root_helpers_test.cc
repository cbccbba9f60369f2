#include "bench/privileges/root_helpers.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <fstream>

#include "bench/base/layers.h"
#include "engine/base/catch.h"
#include "engine/testing/scratch_files.h"
#include "pmem/base/capabilities.h"
#include "pmem/memory/cache_state.h"

namespace hdbench::bench {
namespace {

template <std::size_t N>
Result<RootHelpers> started(const std::array<const char*, N>& words) {
  return RootHelpers::start(static_cast<int>(words.size()), words.data());
}

}  // namespace

TEST_CASE("a command that needs no helper has none") {
  const auto helpers = started(std::array{"hdbench", "verify", "db"});
  REQUIRE(helpers.ok());
  CHECK(!privileged_tasks().drop_page_cache);
  CHECK(!privileged_tasks().find_holders);
  CHECK(started(std::array{"hdbench"}).ok());
}

TEST_CASE("root's helpers do their tasks, and go with the command") {
  if (read_capabilities().permitted == 0) return;
  const ScratchDirectory folder;
  const std::string file = (folder / "held").string();
  std::ofstream(file) << "x";
  {
    const auto helpers = started(std::array{"hdbench", "run", "db"});
    REQUIRE(helpers.ok());
    CHECK(!privileged_tasks().drop_page_cache);
    REQUIRE(privileged_tasks().find_holders);
    CHECK(privileged_tasks().find_holders({}).empty());
    // What the command itself has mapped does not count.
    const int held = open(file.c_str(), O_RDONLY);
    void* mapped = mmap(nullptr, 1, PROT_READ, MAP_SHARED, held, 0);
    REQUIRE(mapped != MAP_FAILED);
    CHECK(privileged_tasks().find_holders({file, "/not/there"}).empty());
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
      char ignored = 0;
      close(ends[1]);
      _exit(read(ends[0], &ignored, 1) == 0 ? 0 : 1);
    }
    const auto found = privileged_tasks().find_holders({"/not/there", file});
    REQUIRE(found.size() == 1);
    CHECK(found[0].find("(process " + std::to_string(child) + ")") != std::string::npos);
    close(ends[0]);
    close(ends[1]);
    munmap(mapped, 1);
    close(held);
  }
  CHECK(!privileged_tasks().find_holders);
}

}  // namespace hdbench::bench
