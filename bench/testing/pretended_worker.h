// For the peers' tests: a shell script in the place of worker.py.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace hdbench::bench {

// Its "Python" is the shell: `sh -B SCRIPT` and the worker's arguments.
struct PretendedWorker {
  explicit PretendedWorker(const std::string& text)
      : folder(std::filesystem::temp_directory_path() /
               ("hdbench_pretended_worker_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder);
    std::ofstream(python()) << "#!/bin/sh\nshift; exec sh \"$@\"\n";
    std::filesystem::permissions(python(), std::filesystem::perms::owner_all);
    std::ofstream(script()) << text;
  }
  ~PretendedWorker() { std::filesystem::remove_all(folder); }
  PretendedWorker(const PretendedWorker&) = delete;
  PretendedWorker& operator=(const PretendedWorker&) = delete;

  std::filesystem::path python() const { return folder / "sh"; }
  std::filesystem::path script() const { return folder / "worker"; }

  std::filesystem::path folder;
};

}  // namespace hdbench::bench
