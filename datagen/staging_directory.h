// Where a database is made, and the steps that keep it complete at any time.
//
// Beside DB are DB.manifest.json and, while DB is being made, DB.partial. Everything is written in
// DB.partial, flushed, and renamed into its place: a partition, `sym` or the manifest is complete
// or absent. The manifest comes first, so that a killed run can be resumed. Only one process at a
// time holds a site; it is released when that process ends.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/file_handle.h"
#include "engine/base/result.h"

namespace hdbench::datagen {

// The manifest's name in DB.partial, before it is renamed to its place.
constexpr std::string_view kManifestName = "manifest.json";

struct DatabasePaths {
  std::filesystem::path root;
  std::filesystem::path partial;
  std::filesystem::path manifest;
};

// The paths of a database, with or without a trailing slash, links resolved. Errors: kUsage: a path
// without a last name (`/`, `..`), or one inside another database; kData: no parent directory.
Result<DatabasePaths> database_paths(const std::filesystem::path& db);

class StagingDirectory {
 public:
  // For a new database. Errors: kUsage where any of the three paths exists, with what to do then.
  static Result<StagingDirectory> create(
      const DatabasePaths& paths,
      std::string_view what_to_do = "use --resume to complete it, or another path");
  // For what a run left behind, or a new database. `claimed`: every file and directory that the
  // database's manifest says may lie in DB.partial, by its path there; what of it does is removed.
  // Errors: kUsage where DB.partial holds anything else (then nothing is removed), or where another
  // process is at it.
  static Result<StagingDirectory> resume(const DatabasePaths& paths,
                                         const std::vector<std::filesystem::path>& claimed);

  StagingDirectory(StagingDirectory&&) = default;
  ~StagingDirectory();

  const DatabasePaths& paths() const { return paths_; }

  // Writes the manifest's new text in its place.
  Status save_manifest(const std::string& text);
  // Makes the database's directory where there is none yet.
  Status make_root();
  // Moves DB.partial/name, whose files are flushed already, to DB/name. Replaces a file of that
  // name.
  Status publish(const std::string& name);
  // Instead of make_root() and publish(): DB.partial, whose files are flushed already, becomes DB.
  // Errors: kData: there is a DB by now.
  Status publish_whole();
  // What the database's filesystem has free for this process.
  Result<std::uint64_t> free_bytes() const;

 private:
  explicit StagingDirectory(const DatabasePaths& paths) : paths_(paths) {}
  Status lock();
  // Leaves no directory where it cannot be locked.
  Status make_and_lock();

  DatabasePaths paths_;
  bool began_empty_ = true;  // so that all that is in DB.partial now was made here
  FileHandle lock_;          // of DB.partial; not open: moved from
};

// Errors: kData, naming the path.
Status make_directory(const std::filesystem::path& path);

// Waits until a file's bytes, or a directory's entries, are on the device.
Status flush_to_device(const std::filesystem::path& path);

}  // namespace hdbench::datagen
