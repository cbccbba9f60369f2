#include "engine/base/nearest_word.h"

#include "engine/base/catch.h"

namespace hdbench {

TEST_CASE("a word near a known one is taken for it") {
  const std::vector<std::string> media = {"nvme", "dram", "tmpfs", "app-direct", "memory-mode"};
  CHECK(nearest_word("", media).empty());
  CHECK(nearest_word("dram", {}).empty());
  CHECK(nearest_word("dramm", media) == "dram");
  CHECK(nearest_word("darm", media) == "dram");
  CHECK(nearest_word("nmve", media) == "nvme");
  CHECK(nearest_word("appdirect", media) == "app-direct");
  CHECK(nearest_word("memory", media) == "memory-mode");
  CHECK(nearest_word("xy", media).empty());
  CHECK(nearest_word("optane", media).empty());
  CHECK(nearest_word(std::string(1000, 'd'), media).empty());
}

TEST_CASE("an error ends with the word that was meant") {
  CHECK(did_you_mean("--meduim", {"--medium", "--mode"}) == "; did you mean '--medium'?");
  CHECK(did_you_mean("--colour", {"--medium", "--mode"}).empty());
}

}  // namespace hdbench
