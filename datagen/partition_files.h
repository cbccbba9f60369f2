// The files of one partition's table: writing a column, and looking at those that are there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "datagen/day_order.h"
#include "datagen/layout.h"
#include "datagen/manifest.h"
#include "engine/base/result.h"

namespace hdbench::datagen {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

// What is to be written: one column of one day.
struct ColumnJob {
  const ColumnPlan* column = nullptr;
  const Spec* spec = nullptr;
  DayCount day;
  const DayOrder* order = nullptr;  // parted databases only
};

struct FileSum {
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
};

// Writes and hashes table/column piece by piece in `buffer` (kPieceBytes, 8-byte aligned). Does not
// wait for the device: the caller flushes a partition's files together.
// Errors: kData, naming the file; or when `halted()`, asked before each piece, says so.
Result<FileSum> write_column(const std::filesystem::path& table, const ColumnJob& job,
                             std::span<std::byte> buffer, const std::function<bool()>& halted);

// The bytes of a day's column files, and what each has before its index if it has one.
std::uint64_t vector_file_bytes(const ColumnPlan& column, const DayCount& day);
std::uint64_t day_bytes(std::span<const ColumnPlan> columns, const DayCount& day);

// Looks whether the files of a partition made earlier are there in full length, and gives the bytes
// of its columns' files. Errors: kData, naming the file, the bytes found and expected.
Result<std::uint64_t> check_lengths(const std::filesystem::path& table, const Spec& spec,
                                    const DayCount& day);

// A partition's sum from its columns' in `.d` order.
PartitionSum partition_sum(std::span<const FileSum> columns);
// The same from the files themselves.
Result<PartitionSum> read_partition_sum(const std::filesystem::path& table, const Spec& spec);

}  // namespace hdbench::datagen
