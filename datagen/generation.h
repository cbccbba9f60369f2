// One run of the generator: the columns of the missing partitions, spread over threads.
//
// A task is one column of one partition's table, so that few partitions occupy many threads too.
// The task that begins a table makes its directory (and its order, if parted); the one that ends
// the partition, all tables of it, publishes it. Tasks are taken in order, so about one partition a
// thread is open at most.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "datagen/generate.h"
#include "datagen/layout.h"
#include "datagen/partition_files.h"
#include "datagen/staging_directory.h"

namespace hdbench::datagen {

class Generation {
 public:
  // All three must outlive this. Partitions that have a sum in the manifest are kept as they are.
  Generation(StagingDirectory& site, Manifest& manifest, const GenerateOptions& options);

  // Generates what is missing, `sym` first, and updates the manifest in memory and on disk.
  Status run(std::size_t threads);

 private:
  // A column, and which of the tables it belongs to.
  struct Place {
    std::size_t table = 0;
    const ColumnPlan* column = nullptr;
  };
  struct PartTable {
    std::filesystem::path path;  // in DB.partial
    DayCount day;
    bool begun = false;
    std::optional<DayOrder> order;
    std::size_t columns_left = 0;
  };
  struct Part {
    PartitionEntry* entry = nullptr;
    std::filesystem::path path;  // in DB.partial
    std::mutex mutex;
    std::vector<PartTable> tables;
    std::vector<FileSum> columns;  // of all tables
    std::size_t columns_left = 0;
  };

  std::unique_ptr<Part> new_part(PartitionEntry& entry) const;
  Status make_root();  // the database's directory, and `sym` in it
  bool halted() const;
  void work(std::size_t task, std::span<std::byte> buffer);
  Status make_column(Part& part, std::size_t place, std::span<std::byte> buffer);
  Status begin(Part& part, std::size_t table);
  Status finish_column(Part& part, std::size_t place, const FileSum& sum);
  Status publish(Part& part);
  Status save_manifest();
  void fail(const Error& error);
  Error ending(const Error& reason) const;

  StagingDirectory& site_;
  Manifest& manifest_;
  const GenerateOptions& options_;
  std::vector<TablePlan> tables_;
  std::vector<Place> places_;  // the columns of all tables
  std::vector<std::string> symbols_;
  std::vector<std::unique_ptr<Part>> parts_;

  std::atomic<bool> failed_{false};
  std::mutex mutex_;  // of the manifest, the progress and the first error
  std::optional<Error> error_;
  Progress progress_;
  std::chrono::steady_clock::time_point saved_at_;
};

}  // namespace hdbench::datagen
