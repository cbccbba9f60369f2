#include "bench/base/version.h"

#include <algorithm>
#include <cctype>
#include <fstream>

#include "hdbench_commit.h"

namespace hdbench::bench {

std::string_view version() { return HDBENCH_VERSION; }

std::string_view commit() { return HDBENCH_COMMIT; }

std::string_view build_type() {
#ifdef NDEBUG
  return "release";
#else
  return "debug";
#endif
}

std::string shell_word(std::string_view word) {
  const auto safe = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("-_./:=,+@%").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), safe)) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string reproduce_command(const std::filesystem::path& cmdline) {
  std::ifstream stream(cmdline, std::ios::binary);
  std::string command;
  std::string word;
  while (std::getline(stream, word, '\0')) {
    if (command.empty()) {
      command = shell_word(std::filesystem::path(word).filename().string());
    } else {
      command += " " + shell_word(word);
    }
  }
  return command;
}

}  // namespace hdbench::bench
