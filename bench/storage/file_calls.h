// The system calls on files that the tests use, with errors that name call and path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "bench/base/layers.h"
#include "engine/base/file_handle.h"
#include "engine/base/result.h"
#include "pmem/base/mapped_memory.h"

namespace hdbench::bench {

Result<FileHandle> open_for(const std::filesystem::path& path, int flags);

Result<std::uint64_t> stat_bytes(const FileHandle& file, const std::filesystem::path& path);

Status seek(const FileHandle& file, std::uint64_t offset, int from,
            const std::filesystem::path& path);

// All of it, from the file's position, or from `offset` on. Errors: kData, naming the path.
Status write_fully(const FileHandle& file, std::span<const std::byte> bytes,
                   const std::filesystem::path& path, std::optional<std::uint64_t> offset = {});

// open, stat, seek, write, close.
Status append_to(const std::filesystem::path& path, std::span<const std::byte> bytes);

Status rename_over(const std::filesystem::path& from, const std::filesystem::path& path);

// Really calls it: "fsync", "fdatasync"; "none" calls nothing.
Status flush(const FileHandle& file, const std::filesystem::path& path, std::string_view call);

// The file's bytes, shared. Requires: bytes is not 0.
Result<std::unique_ptr<MappedMemory>> map_shared(const FileHandle& file, std::size_t bytes,
                                                 int protection, const std::filesystem::path& path);

// Memory of whole pages, zeros.
Result<std::unique_ptr<MappedMemory>> map_anonymous(std::size_t bytes);

// The sum of a file's words (column_data.h) as the page cache holds it.
Result<std::uint64_t> sum_of_file(const std::filesystem::path& path);

}  // namespace hdbench::bench
