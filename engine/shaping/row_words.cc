#include "engine/shaping/row_words.h"

#include <bit>
#include <cstring>
#include <limits>

#include "engine/base/check.h"
#include "engine/kernel/order_keys.h"

namespace hdbench {
namespace {

// Guids are ordered by their bytes, from the first on.
std::vector<Words> guid_words(const ResultColumn& column, std::uint64_t rows,
                              std::pmr::memory_resource& resource) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  std::vector<Words> halves;
  for (std::size_t half = 0; half < 2; ++half) {
    Words& words = halves.emplace_back(static_cast<std::size_t>(rows), 0, &resource);
    for (std::size_t row = 0; row < words.size(); ++row) {
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, column.buffer.data() + row * 16 + half * 8, sizeof(bytes));
      words[row] = static_cast<std::int64_t>(__builtin_bswap64(bytes) ^ kSign);
    }
  }
  return halves;
}

Words code_words(const ResultColumn& column, std::uint64_t rows,
                 std::pmr::memory_resource& resource) {
  Words words(static_cast<std::size_t>(rows), 0, &resource);
  to_words(column.width, column.buffer.data(), words.size(),
           reinterpret_cast<std::uint64_t*>(words.data()));
  return words;
}

Words key_words(const ResultColumn& column, std::uint64_t rows,
                std::pmr::memory_resource& resource) {
  Words words(static_cast<std::size_t>(rows), 0, &resource);
  to_order_keys(column.type, column.buffer.data(), words.size(), words.data());
  return words;
}

std::vector<Words> one(Words words) {
  std::vector<Words> all;
  all.push_back(std::move(words));
  return all;
}

}  // namespace

std::vector<Words> order_words(const ResultColumn& column, std::uint64_t rows,
                               std::pmr::memory_resource& resource) {
  if (column.type != QType::kSymbol || rows == 0) return equality_words(column, rows, resource);
  Words words = code_words(column, rows, resource);
  const std::span<const std::uint32_t> ranks = column.domain->ranks();
  for (std::int64_t& word : words) word = ranks[static_cast<std::size_t>(word)];
  return one(std::move(words));
}

std::vector<Words> equality_words(const ResultColumn& column, std::uint64_t rows,
                                  std::pmr::memory_resource& resource) {
  HDB_CHECK(column.type != QType::kNested, "lists have no words");
  if (column.type == QType::kGuid) return guid_words(column, rows, resource);
  return one(column.type == QType::kSymbol ? code_words(column, rows, resource)
                                           : key_words(column, rows, resource));
}

}  // namespace hdbench
