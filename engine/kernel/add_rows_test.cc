#include <random>
#include <vector>

#include "engine/base/catch.h"
#include "engine/kernel/split_sum.h"
#include "engine/testing/targets.h"

using namespace hdbench;

TEST_CASE("rows are added to the sums of their groups' copies") {
  on_every_target([] {
    const std::size_t rows = 21;
    std::vector<double> parts(8 * rows);
    std::vector<std::uint32_t> groups(rows);
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = static_cast<double>(i);
    for (std::size_t i = 0; i < rows; ++i) groups[i] = static_cast<std::uint32_t>(i * i % 3);
    for (const std::size_t copies : {1, 4}) {
      std::vector<double> found(3 * 8 * copies);
      std::vector<double> expected(found.size());
      add_rows({parts.data(), parts.data() + 4 * rows}, groups.data(), rows, copies, found.data());
      for (std::size_t i = 0; i < rows; ++i) {
        double* const sums = expected.data() + 8 * (copies * groups[i] + i % copies);
        for (std::size_t p = 0; p < 4; ++p) {
          sums[p] += parts[4 * i + p];
          sums[4 + p] += parts[4 * rows + 4 * i + p];
        }
      }
      REQUIRE(found == expected);
    }
  });
}
