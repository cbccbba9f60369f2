#include "bench/storage/filesystems/system_tool.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdio>

#include "bench/base/reproduce_command.h"
#include "engine/base/file_handle.h"

namespace hdbench {

bool has_tool(const std::string& name) { return run_tool({"command", "-v", name}).ok(); }

Result<std::string> run_tool(const std::vector<std::string>& words) {
  std::string command =
      "PATH=${PATH:+$PATH:}/usr/sbin:/sbin:/usr/local/sbin; exec </dev/null 2>&1;";
  for (const std::string& word : words) command += " " + shell_word(word);
  std::FILE* const output = popen(command.c_str(), "re");
  if (output == nullptr) return file_error(words[0], "cannot be started", errno);
  std::string said;
  char piece[4096];
  while (const std::size_t bytes = std::fread(piece, 1, sizeof(piece), output))
    said.append(piece, bytes);
  const int status = pclose(output);
  if (status == 0) return said;
  said.erase(said.find_last_not_of(" \t\r\n") + 1);
  return data_error(fmt::format("{}: {} {}: {}", words[0], WIFEXITED(status) ? "status" : "signal",
                                WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status),
                                said.substr(said.rfind('\n') + 1)));
}

}  // namespace hdbench
