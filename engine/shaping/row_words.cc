#include "engine/shaping/row_words.h"

#include <bit>
#include <cstring>
#include <limits>

#include "engine/base/check.h"
#include "engine/kernel/order_keys.h"
#include "engine/shaping/row_chunks.h"

namespace hdbench {
namespace {

// Guids are ordered by their bytes, from the first on.
std::vector<Words> guid_words(const ResultColumn& column, std::uint64_t rows, ThreadPool& pool,
                              std::pmr::memory_resource& resource) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  std::vector<Words> halves;
  for (std::size_t half = 0; half < 2; ++half) {
    Words& words = halves.emplace_back(static_cast<std::size_t>(rows), resource);
    for_each_chunk(pool, rows, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) {
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, column.buffer.data() + row * 16 + half * 8, sizeof(bytes));
        words[row] = static_cast<std::int64_t>(__builtin_bswap64(bytes) ^ kSign);
      }
    });
  }
  return halves;
}

// Of symbols their codes, or each code's rank where there are ranks; of others the keys of q's
// order.
std::vector<Words> words_of(const ResultColumn& column, std::uint64_t rows,
                            std::span<const std::uint32_t> ranks, ThreadPool& pool,
                            std::pmr::memory_resource& resource) {
  std::vector<Words> all;
  Words& words = all.emplace_back(static_cast<std::size_t>(rows), resource);
  for_each_chunk(pool, rows, [&](std::size_t begin, std::size_t end) {
    std::int64_t* const made = words.data() + begin;
    equality_words(column, begin, end, made);
    if (ranks.empty()) return;
    for (std::size_t row = 0; row < end - begin; ++row)
      made[row] = ranks[static_cast<std::size_t>(made[row])];
  });
  return all;
}

}  // namespace

std::vector<Words> order_words(const ResultColumn& column, std::uint64_t rows, ThreadPool& pool,
                               std::pmr::memory_resource& resource) {
  if (column.type != QType::kSymbol || rows == 0)
    return equality_words(column, rows, pool, resource);
  return words_of(column, rows, column.domain->ranks(), pool, resource);
}

void equality_words(const ResultColumn& column, std::size_t begin, std::size_t end,
                    std::int64_t* words) {
  const std::byte* const elements = column.buffer.data() + begin * column.width;
  if (column.type != QType::kSymbol)
    return to_order_keys(column.type, elements, end - begin, words);
  to_words(column.width, elements, end - begin, reinterpret_cast<std::uint64_t*>(words));
}

std::vector<Words> equality_words(const ResultColumn& column, std::uint64_t rows, ThreadPool& pool,
                                  std::pmr::memory_resource& resource) {
  HDB_CHECK(column.type != QType::kNested, "lists have no words");
  if (column.type == QType::kGuid) return guid_words(column, rows, pool, resource);
  return words_of(column, rows, {}, pool, resource);
}

}  // namespace hdbench
