// A file's bytes after decompression, in its store's memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/base/store.h"
#include "engine/zip/packed_file.h"

namespace hdbench {

// "PATH: a link to TARGET, which is not there"; nothing where the path is no link that leads
// nowhere.
std::optional<std::string> dangling_link(const std::filesystem::path& path);

// When compressed files are unpacked: as a query touches them (zip/packed_file.h), or whole before.
enum class Compressed : std::uint8_t { kAsStored, kUnpacked };

struct PlainFile {
  Bytes bytes;
  std::shared_ptr<const void> keep_alive;
  // Whether the store's own mapping is seen (false: a decompressed copy in a region of the store).
  bool mapped = false;
  // A compressed file that is left as it is stored, in the store's mapping: the bytes are there
  // when they were needed. Else null. One of the keep-alives.
  std::shared_ptr<PackedFile> packed = nullptr;
};

// Uncompressed files are mapped by `store` and never copied here; compressed ones too where they
// stay as stored, else they go into store.allocate(). Errors: kData: no such file, encrypted, a
// broken compressed file.
Result<PlainFile> read_plain_file(const std::filesystem::path& path, Store& store,
                                  Compressed compressed = Compressed::kUnpacked);

// The beginning of a file, for looking at headers without bringing its data anywhere.
struct PlainBeginning {
  Bytes bytes;                    // at most a header page
  std::uint64_t plain_bytes = 0;  // of the whole file
  std::shared_ptr<const void> keep_alive;
};
Result<PlainBeginning> read_plain_beginning(const std::filesystem::path& path);

// How a file is stored, without decompressing any of it.
struct StoredForm {
  std::uint64_t stored_bytes = 0;
  std::uint64_t plain_bytes = 0;
  std::string compression = "none";  // else as ZippedFile::compression()
};
Result<StoredForm> read_stored_form(const std::filesystem::path& path);

}  // namespace hdbench
