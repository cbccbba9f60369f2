#include "datagen/partition_files.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <new>
#include <string>

#include "datagen/staging_directory.h"
#include "engine/base/file_handle.h"
#include "engine/storage/column_file.h"
#include "engine/storage/column_writer.h"
#include "engine/storage/plain_file.h"

namespace hdbench::datagen {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSmallestIndexBytes = 56 + 24 + 8;
constexpr std::uint64_t kListHeaderBytes = 8;

bool is_parted(const Spec& spec, const ColumnPlan& column) {
  return column.name == parted_column(spec);
}

Result<FileSum> read_file_sum(const fs::path& path) {
  HDB_ASSIGN(const OpenFile file, open_file(path));
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> hash(XXH3_createState(),
                                                                      XXH3_freeState);
  if (hash == nullptr) throw std::bad_alloc();
  XXH3_64bits_reset(hash.get());
  std::vector<std::byte> buffer(kPieceBytes);
  FileSum sum;
  while (sum.bytes < file.bytes) {
    const auto piece = std::span(buffer).first(std::min(buffer.size(), file.bytes - sum.bytes));
    HDB_TRY(read_fully(file.handle, sum.bytes, piece, path));
    XXH3_64bits_update(hash.get(), piece.data(), piece.size());
    sum.bytes += piece.size();
  }
  sum.checksum = XXH3_64bits_digest(hash.get());
  return sum;
}

Error wrong_length(const fs::path& path, std::uint64_t found, std::uint64_t expected) {
  return data_error(
      fmt::format("{}: {} bytes, expected {}: remove its partition to have it made "
                  "again",
                  path.string(), found, expected));
}

Result<std::uint64_t> length(const fs::path& path) {
  std::error_code error;
  const std::uint64_t bytes = fs::file_size(path, error);
  if (!error) return bytes;
  return data_error(fmt::format("{}: {}: remove its partition to have it made again", path.string(),
                                error.message()));
}

// The bytes of a table's column files, once they have their full lengths.
Result<std::uint64_t> check_table(const fs::path& path_of_table, const TablePlan& table,
                                  const Spec& spec, const DayCount& day) {
  std::uint64_t sum = 0;
  std::uint64_t list_bytes = kListHeaderBytes;
  for (const ColumnPlan& column : table.columns) {
    const fs::path path = path_of_table / column.name;
    const std::uint64_t vector_bytes = vector_file_bytes(column, day);
    HDB_ASSIGN(std::uint64_t bytes, length(path));
    const std::uint64_t stored_bytes = bytes;
    if (spec.compression.algorithm != 0) {
      HDB_ASSIGN(const StoredForm form, read_stored_form(path));
      bytes = form.plain_bytes;
    }
    if (is_parted(spec, column)) {
      const std::uint64_t least = vector_bytes + kSmallestIndexBytes;
      if (bytes < least) return wrong_length(path, bytes, least);
    } else if (bytes != vector_bytes) {
      return wrong_length(path, bytes, vector_bytes);
    }
    sum += stored_bytes;
    list_bytes += column.name.size() + 1;
  }
  HDB_ASSIGN(const std::uint64_t bytes, length(path_of_table / ".d"));
  if (bytes != list_bytes) return wrong_length(path_of_table / ".d", bytes, list_bytes);
  return sum;
}

}  // namespace

Result<FileSum> write_column(const fs::path& table, const ColumnJob& job,
                             std::span<std::byte> buffer) {
  ColumnSpec spec;
  spec.type = job.column.type;
  spec.attribute = job.index != nullptr ? Attribute::kParted : Attribute::kNone;
  if (spec.type == QType::kSymbol) spec.domain = kDomainName;
  spec.rows = job.rows;
  const fs::path path = table / job.column.name;
  HDB_ASSIGN(ColumnWriter writer, ColumnWriter::create(path, spec, job.compression));
  const std::size_t width = type_width(spec.type);
  const std::size_t rows_a_piece = buffer.size() / width;
  for (std::uint64_t first = 0; first < job.rows; first += rows_a_piece) {
    if (job.halted()) {
      return data_error(fmt::format("{}: stopped while it was written", path.string()));
    }
    const std::size_t count = std::min<std::uint64_t>(rows_a_piece, job.rows - first);
    job.fill(first, count, buffer);
    HDB_TRY(writer.append(buffer.first(count * width)));
  }
  FileSum sum;
  HDB_ASSIGN(sum.checksum, writer.finish(job.index, Flush::kLater));
  HDB_ASSIGN(sum.bytes, length(path));
  return sum;
}

Status finish_table(const TablePlan& plan, const fs::path& table) {
  std::vector<std::string> names;
  for (const ColumnPlan& column : plan.columns) names.push_back(column.name);
  HDB_TRY(write_symbol_list(table / ".d", names, Flush::kLater));
  for (const std::string& name : names) HDB_TRY(flush_to_device(table / name));
  HDB_TRY(flush_to_device(table / ".d"));
  return flush_to_device(table);
}

std::uint64_t vector_file_bytes(const ColumnPlan& column, const DayCount& day) {
  const std::uint64_t header =
      column.type == QType::kSymbol ? kEnumerationHeaderBytes : kVectorHeaderBytes;
  return header + day.rows() * type_width(column.type);
}

std::uint64_t day_bytes(std::span<const TablePlan> tables, const DayCount& day) {
  std::uint64_t bytes = 0;
  for (const TablePlan& table : tables) {
    for (const ColumnPlan& column : table.columns) {
      bytes += vector_file_bytes(column, table.day_of(day));
    }
  }
  return bytes;
}

Result<std::uint64_t> check_lengths(const fs::path& partition, const Spec& spec,
                                    const DayCount& day) {
  std::uint64_t sum = 0;
  for (const TablePlan& table : table_plans(spec)) {
    HDB_ASSIGN(const std::uint64_t bytes,
               check_table(partition / table.name, table, spec, table.day_of(day)));
    sum += bytes;
  }
  return sum;
}

FileSum partition_sum(std::span<const FileSum> columns) {
  FileSum sum;
  std::vector<std::uint64_t> checksums;
  for (const FileSum& column : columns) {
    sum.bytes += column.bytes;
    checksums.push_back(column.checksum);
  }
  sum.checksum = XXH3_64bits(checksums.data(), checksums.size() * sizeof(checksums[0]));
  return sum;
}

Result<FileSum> read_partition_sum(const fs::path& partition, const Spec& spec) {
  std::vector<FileSum> columns;
  for (const TablePlan& table : table_plans(spec)) {
    for (const ColumnPlan& column : table.columns) {
      HDB_ASSIGN(const FileSum sum, read_file_sum(partition / table.name / column.name));
      columns.push_back(sum);
    }
  }
  return partition_sum(columns);
}

}  // namespace hdbench::datagen
