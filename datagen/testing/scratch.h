// Helpers of tests: a temporary directory, removed on destruction, and the content of a whole tree,
// to compare databases byte by byte.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "engine/testing/files.h"

namespace hdbench::datagen {

using Scratch = hdbench::testing::TemporaryDirectory;

// Maps the path of every file below `root`, relative to it, to the file's bytes.
inline std::map<std::string, std::string> tree_contents(const std::filesystem::path& root) {
  std::map<std::string, std::string> contents;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    contents[entry.path().lexically_relative(root).string()] =
        hdbench::testing::file_text(entry.path());
  }
  return contents;
}

}  // namespace hdbench::datagen
