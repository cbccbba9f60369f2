// Helpers of tests: a temporary directory, removed on destruction, and the content of a whole tree,
// to compare databases byte by byte.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace hdbench::datagen {

class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Maps the path of every file below `root`, relative to it, to the file's bytes.
std::map<std::string, std::string> tree_contents(const std::filesystem::path& root);

}  // namespace hdbench::datagen
