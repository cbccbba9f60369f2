// Runs one target on every file of a directory: what a build without libFuzzer does with a corpus.
//
//   fuzz_replay NAME DIRECTORY|FILE ...
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "engine/testing/zip_files.h"
#include "tests/fuzz/fuzz_input.h"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(path)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

int main(int count, char** words) {
  constexpr int kUsage = 2;
  const auto* target = count > 2 ? hdbench::fuzz::find_target(words[1]) : nullptr;
  if (target == nullptr) {
    std::fprintf(stderr, "usage: fuzz_replay TARGET DIRECTORY|FILE ...; the targets are:\n");
    for (const auto& known : hdbench::fuzz::targets()) {
      std::fprintf(stderr, "  %s\n", std::string(known.name).c_str());
    }
    return kUsage;
  }
  std::size_t inputs = 0;
  for (int at = 2; at < count; ++at) {
    for (const fs::path& file : files_of(words[at])) {
      // Said beforehand: what ends the process is the last one.
      std::printf("%s\n", file.filename().c_str());
      std::fflush(stdout);
      target->run(hdbench::file_bytes(file));
      ++inputs;
    }
  }
  std::printf("%s: %zu inputs\n", words[1], inputs);
  return inputs == 0 ? 1 : 0;
}
