// The database's symbols while it is made: each text has a code, in the order of first appearance,
// as kdb+ enumerates them.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hdbench::datagen {

class SymbolTable {
 public:
  // The text's code, a new one where it is not known yet. Requires: fewer than 2^31 texts.
  std::int32_t code_of(std::string_view text);

  std::vector<std::string> texts() const { return {texts_.begin(), texts_.end()}; }
  // All codes, in the order of their texts.
  std::vector<std::uint32_t> codes_in_text_order() const;

 private:
  std::deque<std::string> texts_;  // whose bytes do not move: the map's keys
  std::unordered_map<std::string_view, std::int32_t> codes_;
};

}  // namespace hdbench::datagen
