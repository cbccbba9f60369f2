// An experiment's file, and the words of its axes.
#include "bench/base/layers.h"
#include "bench/model/axes.h"
#include "bench/run/experiment.h"
#include "tests/fuzz/fuzz_input.h"

namespace hdbench::fuzz {
using namespace bench;
using namespace pmem;
using namespace queries;

void run_experiment(Bytes input) {
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
