#include "bench/storage/read_block.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "pmem/memory/huge_memory.h"

namespace hdbench {

BlockReader::BlockReader(const MadeColumn& column, std::uint64_t block_bytes,
                         const std::string& engine)
    : column_(column),
      block_bytes_(block_bytes),
      blocks_(column.bytes / block_bytes),
      is_direct_(engine == "direct"),
      is_random_(engine == "mmap-random") {
  if (engine == "mmap-per-read") engine_ = Engine::kMapEach;
  if (engine == "pread" || engine == "direct") engine_ = Engine::kBuffer;
}

Status BlockReader::open() {
  if (engine_ == Engine::kMapEach) return ok_status();
  HDB_ASSIGN(file_, open_for(column_.path, is_direct_ ? O_RDONLY | O_DIRECT : O_RDONLY));
  if (engine_ == Engine::kBuffer) {
    HDB_ASSIGN(buffer_, map_huge_memory(std::max<std::uint64_t>(block_bytes_, kHugePageBytes)));
    // Its pages are there before the clock runs.
    for (std::size_t at = 0; at < block_bytes_; at += 4096) buffer_.bytes[at] = std::byte{1};
    return ok_status();
  }
  HDB_ASSIGN(mapped_, map_shared(file_, column_.bytes, PROT_READ, column_.path));
  if (is_random_ && ::madvise(mapped_->bytes().data(), mapped_->bytes().size(), MADV_RANDOM) != 0) {
    return file_error(column_.path, "MADV_RANDOM", errno);
  }
  return ok_status();
}

Status BlockReader::read_into_buffer(std::uint64_t offset) {
  std::uint64_t done = 0;
  while (done < block_bytes_) {
    const ssize_t got = ::pread(file_.descriptor(), buffer_.bytes.data() + done,
                                block_bytes_ - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return file_error(column_.path, "cannot read", got == 0 ? EIO : errno);
    done += static_cast<std::uint64_t>(got);
  }
  return ok_status();
}

Status BlockReader::map_and_read(std::uint64_t offset) {
  HDB_ASSIGN(const OpenFile file, open_file(column_.path));
  HDB_ASSIGN(const std::unique_ptr<MappedMemory> mapped,
             map_shared(file.handle, file.bytes, PROT_READ, column_.path));
  sum_ += sum_of(mapped->bytes().subspan(offset, block_bytes_));
  return ok_status();
}

Status BlockReader::read_lap(Worker& worker, std::uint64_t block) {
  const std::uint64_t offset = block * block_bytes_;
  if (engine_ == Engine::kBuffer) {
    HDB_TRY(read_into_buffer(offset));
    worker.lap(block_bytes_);
    sum_ += sum_of({buffer_.bytes.data(), block_bytes_});
    expected_ += range_sum(column_.spec, offset / 8, block_bytes_ / 8);
    worker.begin_lap();
    return ok_status();
  }
  if (engine_ == Engine::kMapEach) {
    HDB_TRY(map_and_read(offset));
  } else {
    sum_ += sum_of(mapped_->bytes().subspan(offset, block_bytes_));
  }
  expected_ += range_sum(column_.spec, offset / 8, block_bytes_ / 8);
  worker.lap(block_bytes_);
  return ok_status();
}

}  // namespace hdbench
