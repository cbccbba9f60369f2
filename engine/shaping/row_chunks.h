// Rows in chunks, for the threads of a pool.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "engine/base/thread_pool.h"

namespace hdbench {

// A multiple of 64 rows: chunks share no word of a bitmap of rows.
constexpr std::size_t kChunkRows = std::size_t{1} << 16;

// Calls work(begin, end) of each chunk on any thread; the order is any.
inline void for_each_chunk(ThreadPool& pool, std::uint64_t rows,
                           const std::function<void(std::size_t begin, std::size_t end)>& work,
                           std::size_t chunk_rows = kChunkRows) {
  const std::uint64_t chunks = (rows + chunk_rows - 1) / chunk_rows;
  pool.run(static_cast<std::size_t>(chunks), [&](std::size_t chunk, std::size_t) {
    const std::size_t begin = chunk * chunk_rows;
    work(begin, std::min(begin + chunk_rows, static_cast<std::size_t>(rows)));
  });
}

}  // namespace hdbench
