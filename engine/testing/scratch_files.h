// What the tests of this room share: scratch directories, files of bytes, the samples that real
// kdb+ wrote.
#pragma once

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "engine/base/byte_reader.h"
#include "engine/storage/column_writer.h"

namespace hdbench {

// A directory that is removed with everything in it.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    static std::atomic<int> next{0};
    path_ = std::filesystem::temp_directory_path() /
            ("hdbench-storage-" + std::to_string(::getpid()) + "-" + std::to_string(next++));
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::filesystem::path& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline std::filesystem::path samples() { return HDBENCH_SAMPLES; }
inline bool have_samples() {
  const bool found = std::filesystem::exists(samples() / "expected.tsv");
  if (!found) std::fprintf(stderr, "not tested: no samples in %s\n", samples().c_str());
  return found;
}

inline std::vector<std::byte> file_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {data, data + text.size()};
}

inline void write_bytes(const std::filesystem::path& path, Bytes bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

inline std::vector<std::byte> bytes_of(std::string_view text) {
  const auto* data = reinterpret_cast<const std::byte*>(text.data());
  return {data, data + text.size()};
}

template <typename T>
void append_bytes(std::vector<std::byte>& bytes, T value) {
  const auto* data = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), data, data + sizeof(T));
}

inline ColumnSpec column_spec(QType type, std::uint64_t rows = 0) {
  return {type, Attribute::kNone, "", rows};
}
inline ColumnSpec symbol_spec(Attribute attribute = Attribute::kNone, std::string domain = "sym") {
  return {QType::kSymbol, attribute, std::move(domain), 0};
}

// Writes a whole column; false where the writer says no.
template <typename T>
bool write_column(const std::filesystem::path& path, ColumnSpec spec, std::span<const T> values,
                  const PartedIndex* index = nullptr) {
  std::filesystem::create_directories(path.parent_path());
  spec.rows = values.size();
  auto writer = ColumnWriter::create(path, spec);
  return writer.ok() && writer->append(std::as_bytes(values)).ok() && writer->finish(index).ok();
}

}  // namespace hdbench
