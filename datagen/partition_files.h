// Writes the column files of one partition's tables, and checks existing ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "datagen/layout.h"
#include "datagen/manifest.h"
#include "engine/base/result.h"
#include "engine/column/column.h"

namespace hdbench::datagen {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

// One column of one day, to be written by write_column().
struct ColumnJob {
  const ColumnPlan& column;
  std::uint64_t rows = 0;
  const PartedIndex* index = nullptr;  // of the column that the day is ordered by; else null
  // Writes the elements of `count` rows from `first` on, little-endian.
  std::function<void(std::uint64_t first, std::size_t count, std::span<std::byte> out)> fill;
  std::function<bool()> halted;  // called before each piece; true ends the writing
  Compression compression{};
};

// Writes and hashes table/column piece by piece in `buffer` (kPieceBytes, 8-byte aligned). Does not
// wait for the device: the caller flushes a partition's files together.
// Errors: kData, naming the file; or halted.
Result<FileSum> write_column(const std::filesystem::path& table, const ColumnJob& job,
                             std::span<std::byte> buffer);

// Writes the table's `.d`, and waits until it and the column files, which were not flushed yet, are
// on the device: all together, as their bytes have been on the way since each was written. Errors:
// kData, naming the file.
Status finish_table(const TablePlan& plan, const std::filesystem::path& table);

// The bytes of one column file of a table's day, without its index; and of all tables' column files
// of a day.
std::uint64_t vector_file_bytes(const ColumnPlan& column, const DayCount& day);
std::uint64_t day_bytes(std::span<const TablePlan> tables, const DayCount& day);

// Checks that an existing partition's files have their full lengths; returns the bytes of its
// column files. Errors: kData, naming the file, the bytes found and the bytes expected.
Result<std::uint64_t> check_lengths(const std::filesystem::path& partition, const Spec& spec,
                                    const DayCount& day);

// Combines the columns' sums, table after table in `.d` order, into the partition's.
FileSum partition_sum(std::span<const FileSum> columns);
// Computes the same by reading the files.
Result<FileSum> read_partition_sum(const std::filesystem::path& partition, const Spec& spec);

}  // namespace hdbench::datagen
