#include "datagen/scratch.h"

#include <stdlib.h>

#include <fstream>
#include <iterator>

#include "engine/base/check.h"

namespace hdbench::datagen {

namespace fs = std::filesystem;

Scratch::Scratch() {
  std::string name = (fs::temp_directory_path() / "hdbench-datagen-XXXXXX").string();
  HDB_CHECK(::mkdtemp(name.data()) != nullptr, "a temporary directory");
  path_ = name;
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::map<std::string, std::string> tree_contents(const fs::path& root) {
  std::map<std::string, std::string> contents;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    contents[entry.path().lexically_relative(root).string()] = {
        std::istreambuf_iterator<char>(file), {}};
  }
  return contents;
}

}  // namespace hdbench::datagen
