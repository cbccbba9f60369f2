#include "datagen/import/symbol_table.h"

#include <algorithm>
#include <numeric>

namespace hdbench::datagen {

std::int32_t SymbolTable::code_of(std::string_view text) {
  const auto known = codes_.find(text);
  if (known != codes_.end()) return known->second;
  const auto code = static_cast<std::int32_t>(texts_.size());
  codes_.emplace(texts_.emplace_back(text), code);
  return code;
}

std::vector<std::uint32_t> SymbolTable::codes_in_text_order() const {
  std::vector<std::uint32_t> codes(texts_.size());
  std::iota(codes.begin(), codes.end(), std::uint32_t{0});
  std::sort(codes.begin(), codes.end(),
            [&](std::uint32_t a, std::uint32_t b) { return texts_[a] < texts_[b]; });
  return codes;
}

}  // namespace hdbench::datagen
