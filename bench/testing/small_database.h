// For tests of runs: the paper's 62 days at their smallest, some ten thousand rows.
#pragma once

#include "datagen/generate.h"
#include "engine/base/catch.h"
#include "engine/testing/files.h"

namespace hdbench::bench {

struct SmallDatabase {
  SmallDatabase() {
    REQUIRE(datagen::generate(path(), {.scale = 1e-5, .parted = "col3", .threads = 1}).ok());
  }
  std::filesystem::path path() const { return folder / "db"; }

  testing::TemporaryDirectory folder;
};

}  // namespace hdbench::bench
