// An experiment's file, and the words of its axes; a file of tiers, TOML too.
#include "bench/advise/tiers.h"
#include "bench/base/layers.h"
#include "bench/model/axes.h"
#include "bench/run/experiment.h"
#include "tests/fuzz/fuzz_input.h"

namespace hdbench::fuzz {
using namespace bench;
using namespace pmem;
using namespace queries;

void run_experiment(Bytes input) {
  if (const auto tiers = parse_tiers(as_text(input), "fuzz.toml"); tiers.ok()) {
    require(!tiers->empty(), "there is a tier");
    for (const Tier& tier : *tiers)
      require(price_of(tier, 1) >= 0, "nobody is paid for taking memory");
  }
  const auto experiment = parse_experiment(as_text(input), "fuzz.toml");
  if (!experiment.ok()) return;
  require(!experiment->matrices.empty(), "an experiment has a matrix");
  for (const ExperimentMatrix& matrix : experiment->matrices) {
    for (const auto& [axis, words] : matrix.axes) {
      static_cast<void>(parse_words(axis, words).ok());
      if (axis == "threads") static_cast<void>(parse_threads(words, 2).ok());
    }
  }
}

}  // namespace hdbench::fuzz
