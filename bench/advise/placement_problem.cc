#include "bench/advise/placement_problem.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

#include "bench/base/child_process.h"
#include "engine/base/file_handle.h"

namespace hdbench::bench {
namespace {

constexpr const char* kSolver = "glpsol";
// Of the measure that is not limited, how much the other one counts: it decides between equals.
constexpr double kTieShare = 1e-6;

std::string x(std::size_t item, std::size_t tier) { return fmt::format("x_{}_{}", item, tier); }

// A sum of terms, folded so that no line is longer than the format allows.
class Terms {
 public:
  // keeps_zeros: so that variables have their order from here.
  explicit Terms(bool keeps_zeros = false) : keeps_zeros_(keeps_zeros) {}

  void add(double factor, const std::string& variable) {
    if (factor == 0 && !keeps_zeros_) return;
    if (++count_ % 8 == 0) text_ += "\n ";
    text_ += fmt::format(" {} {:.12g} {}", factor < 0 ? "-" : "+", std::abs(factor), variable);
  }
  // A constraint needs a term.
  std::string text(const std::string& otherwise) const {
    return text_.empty() ? " 0 " + otherwise : text_;
  }

 private:
  bool keeps_zeros_;
  std::string text_;
  std::size_t count_ = 0;
};

void add_price(const PlacementProblem& problem, double factor, Terms& terms) {
  for (std::size_t i = 0; i < problem.items.size(); ++i) {
    for (std::size_t t = 0; t < problem.tiers.size(); ++t) {
      const double gb = static_cast<double>(problem.items[i].bytes) * 1e-9;
      terms.add(factor * problem.tiers[t].price_per_gb * gb, x(i, t));
    }
  }
  for (std::size_t t = 0; t < problem.tiers.size(); ++t)
    terms.add(factor * problem.tiers[t].price_once, fmt::format("used_{}", t));
}

void add_time(const PlacementProblem& problem, double factor, Terms& terms) {
  for (std::size_t q = 0; q < problem.queries.size(); ++q)
    terms.add(factor * problem.queries[q].weight, fmt::format("time_{}", q));
}

// A file in memory, which a command inherits: nothing is left of it, however this program ends.
Result<FileHandle> memory_file() {
  FileHandle file(::memfd_create("hdbench-advise", 0));
  if (file.descriptor() < 0)
    return data_error(fmt::format("memfd_create: {}", std::strerror(errno)));
  return file;
}

// As this program and a command it starts see it.
std::string path_of(const FileHandle& file) {
  return fmt::format("/proc/self/fd/{}", file.descriptor());
}

// Of what glpsol writes: `s mip ROWS COLUMNS STATUS VALUE`, and `j COLUMN VALUE` for each.
Result<std::optional<std::vector<std::size_t>>> read_solution(const std::string& text,
                                                              const PlacementProblem& problem) {
  const std::size_t tiers = problem.tiers.size();
  std::vector<std::size_t> tier_of_item(problem.items.size(), tiers);
  std::istringstream lines(text);
  char status = '?';
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind, mip;
    words >> kind;
    std::size_t rows = 0, columns = 0;
    if (kind == "s") words >> mip >> rows >> columns >> status;
    std::size_t column = 0;
    double value = 0;
    if (kind != "j" || !(words >> column >> value) || value < 0.5) continue;
    if (column < 1 || column > problem.items.size() * tiers) continue;
    tier_of_item[(column - 1) / tiers] = (column - 1) % tiers;
  }
  if (status == 'n') return std::optional<std::vector<std::size_t>>();
  const bool is_whole =
      std::find(tier_of_item.begin(), tier_of_item.end(), tiers) == tier_of_item.end();
  if (status != 'o' || !is_whole)
    return data_error(
        fmt::format("{}: no placement in what it wrote (status {})", kSolver, status));
  return std::optional(std::move(tier_of_item));
}

}  // namespace

double PlacementProblem::query_ms(std::size_t query,
                                  const std::vector<std::size_t>& tier_of_item) const {
  const WeighedQuery& weighed = queries[query];
  double ms = weighed.dram_ms;
  std::vector<double> busy(tiers.size(), 0);
  for (std::size_t i = 0; i < items.size(); ++i) {
    ms += weighed.added_ms[i][tier_of_item[i]];
    busy[tier_of_item[i]] += weighed.busy_ms[i][tier_of_item[i]];
  }
  for (const double tier_ms : busy) ms = std::max(ms, tier_ms);
  return ms;
}

double PlacementProblem::time_ms(const std::vector<std::size_t>& tier_of_item) const {
  double ms = 0;
  for (std::size_t q = 0; q < queries.size(); ++q)
    ms += queries[q].weight * query_ms(q, tier_of_item);
  return ms;
}

double PlacementProblem::dram_ms() const {
  double ms = 0;
  for (const WeighedQuery& query : queries) ms += query.weight * query.dram_ms;
  return ms;
}

double PlacementProblem::price(const std::vector<std::size_t>& tier_of_item) const {
  std::vector<std::uint64_t> bytes(tiers.size(), 0);
  for (std::size_t i = 0; i < items.size(); ++i) bytes[tier_of_item[i]] += items[i].bytes;
  double sum = 0;
  for (std::size_t t = 0; t < tiers.size(); ++t) sum += price_of(tiers[t], bytes[t]);
  return sum;
}

bool PlacementProblem::is_allowed(const std::vector<std::size_t>& tier_of_item) const {
  std::vector<std::uint64_t> bytes(tiers.size(), 0);
  for (std::size_t i = 0; i < items.size(); ++i) bytes[tier_of_item[i]] += items[i].bytes;
  for (std::size_t t = 0; t < tiers.size(); ++t) {
    if (tiers[t].capacity_bytes && bytes[t] > *tiers[t].capacity_bytes) return false;
  }
  return std::all_of(newer.begin(), newer.end(), [&](const auto& pair) {
    return tier_of_item[pair.first] <= tier_of_item[pair.second];
  });
}

std::string programme_text(const PlacementProblem& problem, const PlacementLimit& limit) {
  const std::size_t tiers = problem.tiers.size();
  std::string binaries;
  // All x first, so that the solution's columns are theirs.
  Terms objective(true);
  for (std::size_t i = 0; i < problem.items.size(); ++i) {
    for (std::size_t t = 0; t < tiers; ++t) binaries += fmt::format(" {}\n", x(i, t));
  }
  const double any_time = std::max(problem.dram_ms(), 1e-9);
  double any_price = 0;
  for (const Tier& tier : problem.tiers) {
    std::uint64_t bytes = 0;
    for (const PlacedItem& item : problem.items) bytes += item.bytes;
    any_price = std::max(any_price, price_of(tier, bytes));
  }
  any_price = std::max(any_price, 1e-9);
  const bool by_price = limit.time_ms.has_value();
  add_price(problem, (by_price ? 1 : kTieShare) / any_price, objective);
  add_time(problem, (by_price ? kTieShare : 1) / any_time, objective);
  std::string text = "Minimize\n cost:" + objective.text(x(0, 0)) + "\nSubject To\n";
  for (std::size_t i = 0; i < problem.items.size(); ++i) {
    Terms one;
    for (std::size_t t = 0; t < tiers; ++t) one.add(1, x(i, t));
    text += fmt::format(" lies_{}:{} = 1\n", i, one.text(""));
  }
  for (std::size_t t = 0; t < tiers; ++t) {
    Terms bytes;
    for (std::size_t i = 0; i < problem.items.size(); ++i)
      bytes.add(static_cast<double>(problem.items[i].bytes) * 1e-9, x(i, t));
    if (problem.tiers[t].capacity_bytes) {
      text += fmt::format(" room_{}:{} <= {:.12g}\n", t, bytes.text(x(0, t)),
                          static_cast<double>(*problem.tiers[t].capacity_bytes) * 1e-9);
    }
    if (problem.tiers[t].price_once == 0) continue;
    for (std::size_t i = 0; i < problem.items.size(); ++i) {
      if (problem.items[i].bytes > 0)
        text += fmt::format(" once_{}_{}: used_{} - {} >= 0\n", i, t, t, x(i, t));
    }
    binaries += fmt::format(" used_{}\n", t);
  }
  for (std::size_t q = 0; q < problem.queries.size(); ++q) {
    const WeighedQuery& query = problem.queries[q];
    Terms added;
    added.add(1, fmt::format("time_{}", q));
    for (std::size_t i = 0; i < problem.items.size(); ++i) {
      for (std::size_t t = 0; t < tiers; ++t) added.add(-query.added_ms[i][t], x(i, t));
    }
    text += fmt::format(" query_{}:{} >= {:.12g}\n", q, added.text(""), query.dram_ms);
    for (std::size_t t = 0; t < tiers; ++t) {
      Terms busy;
      busy.add(1, fmt::format("time_{}", q));
      for (std::size_t i = 0; i < problem.items.size(); ++i)
        busy.add(-query.busy_ms[i][t], x(i, t));
      text += fmt::format(" busy_{}_{}:{} >= 0\n", q, t, busy.text(""));
    }
  }
  std::size_t pair = 0;
  for (const auto& [first, second] : problem.newer) {
    // Of the first so much lies on this tier or an earlier one as of the second, or more.
    for (std::size_t last = 0; last + 1 < tiers; ++last) {
      Terms earlier;
      for (std::size_t t = 0; t <= last; ++t) {
        earlier.add(1, x(first, t));
        earlier.add(-1, x(second, t));
      }
      text += fmt::format(" newer_{}_{}:{} >= 0\n", pair, last, earlier.text(""));
    }
    ++pair;
  }
  Terms bounded;
  if (by_price) {
    add_time(problem, 1, bounded);
  } else {
    add_price(problem, 1, bounded);
  }
  const double most = by_price ? *limit.time_ms : limit.price.value_or(HUGE_VAL);
  if (std::isfinite(most))
    text += fmt::format(" limit:{} <= {:.12g}\n", bounded.text(x(0, 0)), most);
  return text + "Binaries\n" + binaries + "End\n";
}

Result<std::optional<std::vector<std::size_t>>> best_placement(const PlacementProblem& problem,
                                                               const PlacementLimit& limit) {
  if (!has_command(kSolver)) {
    return data_error(fmt::format(
        "{} is not there, and it finds the best placement: install GLPK (glpk-utils)", kSolver));
  }
  HDB_ASSIGN(const FileHandle programme, memory_file());
  HDB_ASSIGN(const FileHandle solution, memory_file());
  std::ofstream(path_of(programme)) << programme_text(problem, limit);
  HDB_TRY(run_command(
      {kSolver, "--lp", path_of(programme), "--write", path_of(solution), "--mipgap", "0"}));
  constexpr std::size_t kSolutionMax = std::size_t{64} << 20;
  HDB_ASSIGN(const std::string text, read_text(path_of(solution), kSolutionMax));
  return read_solution(text, problem);
}

}  // namespace hdbench::bench
