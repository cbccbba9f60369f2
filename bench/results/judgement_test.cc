#include "bench/results/judgement.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

const std::vector<double> kTen{10, 10.1, 9.9, 10, 10.05};
const std::vector<double> kTwenty{20, 20.1, 19.9, 20, 20.05};

Judgement judged(const std::vector<double>& a, const std::vector<double>& b,
                 double threshold_percent = 5) {
  return judge({CellTimes{{{a}}, {{b}}, std::nullopt}}, threshold_percent).front();
}

TEST_CASE("single times are not judged") {
  const Judgement judgement = judged({1}, {9});
  CHECK(judgement.verdict == Verdict::kNotJudged);
  CHECK_FALSE(judgement.regression);
  CHECK_FALSE(judgement.noise_a);
  CHECK(judgement.ratio.value == 9);
}

TEST_CASE("the same only where the whole interval lies within ten per cent") {
  CHECK(verdict_of(Interval{0.95, 1.05}, 5) == Verdict::kSame);
  CHECK(verdict_of(Interval{0.95, 1.11}, 5) == Verdict::kInconclusive);
  CHECK(verdict_of(Interval{0.90, 1.05}, 5) == Verdict::kInconclusive);
  CHECK(verdict_of(Interval{1.01, 1.04}, 5) == Verdict::kSame);
  CHECK(verdict_of(std::nullopt, 5) == Verdict::kNotJudged);
}

TEST_CASE("slower or faster where the interval excludes 1, a regression beyond the threshold") {
  CHECK(verdict_of(Interval{1.06, 1.08}, 5) == Verdict::kSlower);
  CHECK(verdict_of(Interval{1.01, 1.3}, 5) == Verdict::kSlower);
  CHECK(verdict_of(Interval{0.92, 0.94}, 5) == Verdict::kFaster);
  CHECK(verdict_of(Interval{0.7, 0.99}, 5) == Verdict::kFaster);
  CHECK(judged(kTen, kTwenty).regression);
  CHECK(judged(kTen, kTwenty, 150).verdict == Verdict::kSlower);
  CHECK_FALSE(judged(kTen, kTwenty, 150).regression);
  CHECK(judged(kTwenty, kTen).verdict == Verdict::kFaster);
  CHECK(judged(kTen, kTen, 0).verdict == Verdict::kSame);
}

TEST_CASE("a side whose halves differ as much as the sides do proves nothing") {
  const std::vector<double> drifting{10, 10.1, 10, 20, 20.1, 20};
  const Judgement judgement = judged(drifting, kTwenty);
  CHECK(judgement.verdict == Verdict::kInconclusive);
  CHECK(*judgement.noise_a == Approx(1));
  CHECK(*judgement.noise_b < 0.01);
}

TEST_CASE("halves are of visits where there are several") {
  const std::vector<double> times{10, 10, 10, 10, 11, 11};
  const std::vector<std::size_t> visits{4, 2};
  const auto judgements = judge({CellTimes{{{times, visits}}, {{times, visits}}, {}}}, 5);
  CHECK(*judgements[0].noise_a == Approx(0.1));
}

TEST_CASE("several files a side show what a program differs from itself") {
  const std::vector<double> later{12, 12.1, 11.9, 12, 12.05};
  const auto against = [&](const std::vector<Samples>& a, const std::vector<Samples>& b) {
    return judge({CellTimes{a, b, std::nullopt}}, 5).front();
  };
  CHECK(judged(kTen, later).verdict == Verdict::kSlower);
  const Judgement unlike = against({{kTen}, {later}}, {{later}, {later}});
  CHECK(unlike.verdict == Verdict::kInconclusive);
  CHECK(*unlike.noise_a == Approx(0.2));
  CHECK(against({{kTen}, {kTen}}, {{kTwenty}, {kTwenty}}).regression);
  CHECK(against({{kTen}, {kTen}}, {{kTen}, {kTen}, {kTen}}).verdict == Verdict::kSame);
}

TEST_CASE("a cell that seems quiet has the noise of the middle one") {
  const std::vector<double> noisy{10, 10, 12, 12};
  const std::vector<double> quiet{10, 10, 10, 10};
  const std::vector<double> more{11.5, 11.5, 11.5, 11.5};
  const CellTimes of_noisy{{{noisy}}, {{noisy}}, std::nullopt};
  const CellTimes of_quiet{{{quiet}}, {{more}}, std::nullopt};
  CHECK(judge({of_quiet, of_quiet, of_noisy}, 5)[0].verdict == Verdict::kSlower);
  CHECK(judge({of_quiet, of_noisy, of_noisy}, 5)[0].verdict == Verdict::kInconclusive);
}

TEST_CASE("the machine's part may be, is divided out, or is another machine's") {
  const auto with = [&](const Ratio& machine, MachinePart part) {
    return judge({CellTimes{{{kTen}}, {{kTwenty}}, machine, part}}, 5).front();
  };
  CHECK(with({2, {}}, MachinePart::kMayBe).verdict == Verdict::kInconclusive);
  CHECK(with({2, {}}, MachinePart::kMayBe).ratio.value == Approx(2));
  CHECK(with({1.2, {}}, MachinePart::kMayBe).regression);
  CHECK(with({0.5, {}}, MachinePart::kMayBe).regression);
  CHECK(with({2, {}}, MachinePart::kDivided).verdict == Verdict::kSame);
  CHECK(with({2, {}}, MachinePart::kIgnored).regression);
  // What is not known of the machine is not known of what is left.
  CHECK(with({2, Interval{1.5, 2.7}}, MachinePart::kDivided).verdict == Verdict::kInconclusive);
}

// Equal runs on a machine that others use: all cells, and the machine's own rates, share a drift
// that wanders from round to round; a neighbour delays single times; each cell has noise of its
// own.
class NoisyRuns {
 public:
  explicit NoisyRuns(std::uint64_t seed) : random_(seed) {}

  struct Run {
    std::vector<std::vector<double>> cells;
    std::vector<double> machine;
  };

  // slower: factors of the first cells' times.
  Run next(std::size_t cells, std::size_t rounds, const std::vector<double>& slower = {}) {
    Run run;
    run.cells.resize(cells);
    double drift = 0.3 * normal();
    for (std::size_t round = 0; round < rounds; ++round) {
      drift = 0.9 * drift + 0.05 * normal();
      run.machine.push_back(std::exp(drift + 0.03 * normal()));
      for (std::size_t cell = 0; cell < cells; ++cell) {
        const double own = 0.01 + 0.04 * static_cast<double>(cell % 5) / 4;
        double ms = std::exp(drift + own * normal()) * static_cast<double>(1 + cell);
        if (share() < 0.3) ms *= 1 + 0.5 * share();
        run.cells[cell].push_back(ms * (cell < slower.size() ? slower[cell] : 1));
      }
    }
    return run;
  }

 private:
  double share() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  // Of mean 0 and variance 1.
  double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += share();
    return sum;
  }

  std::mt19937_64 random_;
};

using SideOfRuns = std::vector<NoisyRuns::Run>;

std::vector<Judgement> judge_runs(const SideOfRuns& a, const SideOfRuns& b, MachinePart part) {
  std::vector<CellTimes> all;
  const auto machine = median_ratio({b[0].machine}, {a[0].machine});
  for (std::size_t cell = 0; cell < a[0].cells.size(); ++cell) {
    CellTimes& times = all.emplace_back();
    for (const auto& run : a) times.a.push_back({run.cells[cell], {}});
    for (const auto& run : b) times.b.push_back({run.cells[cell], {}});
    times.machine = machine;
    times.part = part;
  }
  return judge(all, 5);
}

constexpr std::size_t kPairs = 10;
constexpr std::size_t kCells = 22;

std::size_t count_different(const std::vector<Judgement>& judgements) {
  return static_cast<std::size_t>(std::ranges::count_if(judgements, [](const Judgement& one) {
    return one.verdict == Verdict::kSlower || one.verdict == Verdict::kFaster;
  }));
}

TEST_CASE("beside several files a single one counts as one, not as two halves") {
  // The files of A lie a fifth apart; B is one steady file within their range.
  CellTimes times;
  std::vector<std::vector<double>> files;
  for (const double ms : {90, 100, 110, 112}) files.emplace_back(6, ms);
  for (const std::size_t file : {0, 1, 2}) times.a.push_back({files[file], {}});
  times.b.push_back({files[3], {}});
  const Judgement mixed = judge({times}, 5).front();
  CHECK(mixed.verdict == Verdict::kInconclusive);
  REQUIRE(mixed.ratio.interval);
  // Student's t of 2 degrees times the files' deviation, of a mean of three and one file more.
  CHECK(mixed.ratio.interval->high > 1.12 * std::exp(4.3 * 0.1 * std::sqrt(1.0 / 3 + 1) * 0.9));
}

TEST_CASE("of a hundred cells of equal runs on a noisy machine one is called different at most") {
  for (const std::size_t rounds : {5, 12}) {
    std::size_t by_time = 0;
    std::size_t by_ceiling = 0;
    std::size_t by_repetitions_alone = 0;
    NoisyRuns runs(20261126 + rounds);
    for (std::size_t pair = 0; pair < kPairs; ++pair) {
      const SideOfRuns a{runs.next(kCells, rounds)};
      const SideOfRuns b{runs.next(kCells, rounds)};
      by_time += count_different(judge_runs(a, b, MachinePart::kMayBe));
      by_ceiling += count_different(judge_runs(a, b, MachinePart::kDivided));
      for (std::size_t cell = 0; cell < kCells; ++cell) {
        const auto ratio = median_ratio({b[0].cells[cell]}, {a[0].cells[cell]});
        by_repetitions_alone += ratio->is_different() ? 1 : 0;
      }
    }
    INFO(rounds << " rounds: " << by_time << ", " << by_ceiling << ", " << by_repetitions_alone);
    CHECK(by_time * 100 <= kPairs * kCells);
    CHECK(by_ceiling * 100 <= kPairs * kCells);
    CHECK(by_repetitions_alone * 100 > 20 * kPairs * kCells);  // the noise is worth the name
  }
}

TEST_CASE("twice the time is found on the same noisy machine") {
  NoisyRuns runs(5);
  std::size_t found = 0;
  for (std::size_t pair = 0; pair < kPairs; ++pair) {
    const SideOfRuns a{runs.next(kCells, 9)};
    const SideOfRuns b{runs.next(kCells, 9, {2})};
    found += judge_runs(a, b, MachinePart::kMayBe)[0].regression ? 1 : 0;
  }
  INFO(found);
  CHECK(found * 10 >= kPairs * 7);
}

}  // namespace
}  // namespace hdbench::bench
