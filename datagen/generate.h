// Generates a database: the only entry point of this folder.
//
//   auto manifest = generate("/data/paper", {.profile = Profile::kPaper, .scale = 0.1});
//
// DB.manifest.json beside the database describes it (manifest.h). The bytes depend on the spec
// alone, not on threads, compiler or machine.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "datagen/manifest.h"
#include "datagen/spec.h"
#include "engine/base/result.h"

namespace hdbench::datagen {

// Counts partitions and bytes of column files; those that a resumed run keeps count as done.
struct Progress {
  std::size_t partitions_done = 0;
  std::size_t partitions = 0;
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes = 0;
};

struct GenerateOptions {
  // Completes an interrupted run's database and keeps its whole partitions; starts from the
  // beginning if there is none.
  bool resume = false;
  // Fails before the first write if the filesystem has less free space than needed; says which
  // --scale would fit.
  bool check_free_space = true;
  double scale_share = 1;  // the spec's scale is so many times what --scale says
  // Called after each column, from any thread, one call at a time.
  std::function<void(const Progress&)> progress{};
  // Checked every MiB: true ends the run, with an error that explains how to resume.
  const std::atomic<bool>* stop = nullptr;
};

// Errors: kUsage for an invalid spec (spec.h), a database that exists, or resuming one of another
// spec; kData for errors of the filesystem. After an error DB.partial is gone, whole partitions
// stay, and the same call with `resume` completes the database.
Result<Manifest> generate(const std::filesystem::path& db, const Spec& spec,
                          const GenerateOptions& options = {});

// Predicts the bytes of a database's columns (without p# indices, a few KiB per partition).
std::uint64_t expected_bytes(const Spec& spec);

// The largest scale, of three digits, at which these columns have at most so many bytes; nothing:
// the smallest scale has more.
std::optional<double> scale_of_bytes(const Spec& spec, std::uint64_t bytes);

}  // namespace hdbench::datagen
