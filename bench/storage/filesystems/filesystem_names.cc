#include "bench/storage/filesystems/filesystem_names.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace hdbench {
namespace {

constexpr std::string_view kMark = "/filesystem:";

}  // namespace

IoRun joined(const FilesystemComparison& comparison) {
  IoRun run = comparison.last;
  run.results.clear();
  for (const FilesystemFigures& each : comparison.figures) {
    for (IoResult result : each.results) {
      result.name += std::string(kMark) + each.filesystem;
      run.results.push_back(std::move(result));
    }
  }
  run.left_out = comparison.left_out;
  run.complete = comparison.complete;
  return run;
}

std::vector<FilesystemFigures> filesystems_of(const IoRun& run) {
  std::vector<FilesystemFigures> figures;
  for (IoResult result : run.results) {
    const std::size_t at = result.name.rfind(kMark);
    if (at == std::string::npos) continue;
    const std::string filesystem = result.name.substr(at + kMark.size());
    result.name.resize(at);
    auto known = std::find_if(figures.begin(), figures.end(), [&](const FilesystemFigures& each) {
      return each.filesystem == filesystem;
    });
    if (known == figures.end()) known = figures.insert(known, {filesystem, {}});
    known->results.push_back(std::move(result));
  }
  return figures;
}

std::vector<IoResult> plain_results(const IoRun& run) {
  std::vector<IoResult> results;
  for (const IoResult& result : run.results) {
    if (result.name.find(kMark) == std::string::npos) results.push_back(result);
  }
  return results;
}

}  // namespace hdbench
