#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>

#include "bench/storage/io_results.h"

namespace hdbench::bench {
namespace {

// In ms, so that above 1 means slower for all. Empty: no result.
std::vector<double> times_of(const IoResult& result) {
  std::vector<double> times;
  if (!result.is_result()) return times;
  for (const double sample : result.samples) {
    if (sample > 0) times.push_back(result.unit == "ms" ? sample : 1e3 / sample);
  }
  return times;
}

std::vector<std::string> names_of_results(std::span<const SavedIo> files) {
  std::vector<std::string> names;
  for (const SavedIo& saved : files) {
    for (const IoResult& result : saved.run.results) {
      if (std::ranges::find(names, result.name) == names.end()) names.push_back(result.name);
    }
  }
  return names;
}

// A side's times, a file each that has the result; none where one of them has no figure. Nothing:
// no file has the result. `held` owns the times.
std::optional<std::vector<Samples>> samples_of_side(std::span<const SavedIo> files,
                                                    const std::string& name,
                                                    std::deque<std::vector<double>>& held) {
  std::optional<std::vector<Samples>> side;
  bool lacks_any = false;
  for (const SavedIo& saved : files) {
    const auto found = std::ranges::find(saved.run.results, name, &IoResult::name);
    if (found == saved.run.results.end()) continue;
    if (!side) side.emplace();
    side->push_back({held.emplace_back(times_of(*found)), {}});
    lacks_any = lacks_any || held.back().empty();
  }
  if (lacks_any) side->clear();
  return side;
}

void add_side(Comparison& all, std::span<const SavedIo> files, char letter) {
  for (std::size_t at = 0; at < files.size(); ++at) {
    const SavedIo& saved = files[at];
    const std::string label = side_label(letter, at, files.size());
    all.files.push_back({label, saved.file, saved.commit, saved.date});
    if (!saved.run.complete) all.notes.push_back(label + " was ended before its last test");
    for (const std::string& line : saved.run.preflight) {
      all.notes.push_back(fmt::format("{} was warned: {}", label, line));
    }
  }
}

}  // namespace

Comparison compare_io(std::span<const SavedIo> a, std::span<const SavedIo> b,
                      double threshold_percent) {
  Comparison all;
  all.threshold_percent = threshold_percent;
  all.files_of_a = a.size();
  all.files_of_b = b.size();
  const auto note = [&](const char* what, const std::string& of_a, const std::string& of_b) {
    if (of_a != of_b) all.notes.push_back(fmt::format("{}: A {}, B {}", what, of_a, of_b));
  };
  const SavedIo& first_a = a.front();
  const SavedIo& first_b = b.front();
  note("machine", first_a.machine, first_b.machine);
  note("commit", first_a.commit, first_b.commit);
  note("place", first_a.run.targets.front().place, first_b.run.targets.front().place);
  note("huge vector", std::to_string(first_a.run.vectors.huge),
       std::to_string(first_b.run.vectors.huge));
  add_side(all, a, 'A');
  add_side(all, b, 'B');
  std::deque<std::vector<double>> held;
  std::vector<CellTimes> times;
  for (const std::string& name : names_of_results(a)) {
    const auto of_a = samples_of_side(a, name, held);
    const auto of_b = samples_of_side(b, name, held);
    if (!of_b) {
      all.only_a.push_back(name);
    } else if (of_a->empty() || of_b->empty()) {
      all.no_figure.push_back(fmt::format("{}: no result in {}", name, of_a->empty() ? "A" : "B"));
    } else {
      all.cells.emplace_back().name = name;
      times.push_back({*of_a, *of_b, std::nullopt});
    }
  }
  for (const std::string& name : names_of_results(b)) {
    if (!samples_of_side(a, name, held)) all.only_b.push_back(name);
  }
  judge_cells(all, times);
  return all;
}

}  // namespace hdbench::bench
