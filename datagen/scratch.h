// For tests: a directory below the system's temporary one, removed with its content; and the
// content of a whole tree, to compare databases byte by byte.
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

// Every file below `root` by its path from there, with its bytes.
std::map<std::string, std::string> tree_contents(const std::filesystem::path& root);

}  // namespace hdbench::datagen
