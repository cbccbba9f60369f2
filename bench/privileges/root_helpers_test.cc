#include <array>

#include "bench/base/layers.h"
#include "bench/privileges/privileged_helper.h"
#include "engine/base/catch.h"
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
  {
    const auto helpers = started(std::array{"hdbench", "run", "db"});
    REQUIRE(helpers.ok());
    CHECK(!privileged_tasks().drop_page_cache);
    REQUIRE(privileged_tasks().find_holders);
    CHECK(privileged_tasks().find_holders({}).empty());
  }
  CHECK(!privileged_tasks().find_holders);
}

}  // namespace hdbench::bench
