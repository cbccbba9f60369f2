// Makes a database: the one entry to this folder.
//
//   auto manifest = generate("/data/paper", {.profile = Profile::kPaper, .scale = 0.1});
//
// DB.manifest.json beside the database says what it is (manifest.h). The bytes depend on the spec
// alone, not on threads, compiler or machine.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>

#include "datagen/manifest.h"
#include "datagen/spec.h"
#include "engine/base/result.h"

namespace hdbench::datagen {

// Partitions and bytes of column files; those kept by a resumed run count as done.
struct Progress {
  std::size_t partitions_done = 0;
  std::size_t partitions = 0;
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes = 0;
};

struct GenerateOptions {
  // Completes what an interrupted run left; keeps its whole partitions. Starts anew where nothing
  // is.
  bool resume = false;
  // Refuses before the first byte where the filesystem has less room than is needed.
  bool check_free_space = true;
  // After each column, one call at a time, from any thread.
  std::function<void(const Progress&)> progress{};
  // Looked at every MiB: true ends the run soon, with an error that says how to go on.
  const std::atomic<bool>* stop = nullptr;
};

// Errors: kUsage for a spec that is not good (spec.h), a database that exists, or a resumed one of
// another spec; kData for what the filesystem refuses. After an error DB.partial is gone, whole
// partitions stay, and the same call with `resume` completes them.
Result<Manifest> generate(const std::filesystem::path& db, const Spec& spec,
                          const GenerateOptions& options = {});

// The bytes that a database's columns will take (p# indices, a few KiB a partition, not counted).
std::uint64_t expected_bytes(const Spec& spec);

}  // namespace hdbench::datagen
