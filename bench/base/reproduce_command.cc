#include "bench/base/reproduce_command.h"

#include <algorithm>
#include <cctype>
#include <fstream>

namespace hdbench::bench {

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
