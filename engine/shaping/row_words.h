// A result's column as words, a row each: for comparing rows of any type.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

#include "engine/column/result_table.h"

namespace hdbench {

using Words = std::pmr::vector<std::int64_t>;

// Words that rise as the elements do in q's order: nulls first, symbols by their text. Of guids two
// arrays, the first one foremost. Requires: no lists.
std::vector<Words> order_words(const ResultColumn& column, std::uint64_t rows,
                               std::pmr::memory_resource& resource);

// Words that are equal where the elements are: of symbols their codes. Requires: no lists.
std::vector<Words> equality_words(const ResultColumn& column, std::uint64_t rows,
                                  std::pmr::memory_resource& resource);

}  // namespace hdbench
