#include "bench/storage/column_set.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include "bench/storage/file_calls.h"
#include "pmem/memory/cache_state.h"

namespace hdbench::bench {
namespace {

Result<Held> hold(const std::vector<MadeColumn>& columns) {
  Held held;
  for (const MadeColumn& column : columns) {
    HDB_ASSIGN(OpenFile file, open_file(column.path));
    if (file.bytes != column.bytes) {
      return data_error(
          fmt::format("{}: {} bytes, expected {}", column.path.string(), file.bytes, column.bytes));
    }
    HDB_ASSIGN(std::unique_ptr<MappedMemory> mapped,
               map_shared(file.handle, column.bytes, PROT_READ, column.path));
    auto one = std::make_shared<TrackedMapping>();
    one->bytes = mapped->bytes();
    one->path = column.path;
    one->descriptor = file.handle.descriptor();
    one->owner = std::make_shared<std::pair<FileHandle, std::unique_ptr<MappedMemory>>>(
        std::move(file.handle), std::move(mapped));
    held.push_back(std::move(one));
  }
  return held;
}

}  // namespace

Result<std::vector<MadeColumn>> ColumnSet::get(IoVector vector, QType type, std::uint64_t elements,
                                               std::size_t files) {
  std::vector<MadeColumn>& columns = made_[{vector, type, files}];
  for (std::size_t at = columns.size(); at < directories_.size() * files; ++at) {
    const std::size_t k = at / files;
    const std::size_t file = at % files;
    const auto part = files == 1 ? std::string() : fmt::format("-{}of{}", file + 1, files);
    const auto path =
        directories_[k] / fmt::format("{}-{}{}", word(vector), io_type_name(type), part);
    const std::uint64_t seed = seed_ + k + file * kIoProcessesMax;
    HDB_ASSIGN(MadeColumn column, make_column(path, {type, elements / files, seed}));
    columns.push_back(std::move(column));
  }
  return columns;
}

Result<CacheProof> make_columns(Cache state, const std::vector<MadeColumn>& columns) {
  HDB_ASSIGN(const Held held, hold(columns));
  return state == Cache::kCold ? make_cold(held) : make_warm(held);
}

}  // namespace hdbench::bench
