// Functions of one table, by name, and what stands on their left: the stages that a table passes,
// from right to left, once the query that gives it has run.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "queries/expression/functions.h"

namespace hdbench::queries {

enum class StageLeft : std::uint8_t { kNothing, kSymbols, kNumbers };

struct StageWord {
  std::string_view name;
  StageLeft left = StageLeft::kNothing;
};

inline constexpr auto kStageWords = std::to_array<StageWord>({
    {"asc"},
    {"cols"},
    {"count"},
    {"desc"},
    {"distinct"},
    {"fills"},
    {"first"},
    {"keys"},
    {"last"},
    {"meta"},
    {"reverse"},
    {"ungroup"},
    {"xasc", StageLeft::kSymbols},
    {"xdesc", StageLeft::kSymbols},
    {"xkey", StageLeft::kSymbols},
    {"xcol", StageLeft::kSymbols},
    {"#", StageLeft::kSymbols},
    {"_", StageLeft::kSymbols},
    {"#", StageLeft::kNumbers},
    {"_", StageLeft::kNumbers},
    {"!", StageLeft::kNumbers},
    {"sublist", StageLeft::kNumbers},
});

// Aggregates of one argument are stages of a list: max exec size from t.
inline bool is_stage_word(std::string_view name, StageLeft left) {
  if (std::any_of(kStageWords.begin(), kStageWords.end(),
                  [&](const StageWord& word) { return word.name == name && word.left == left; }))
    return true;
  const Function* function = left == StageLeft::kNothing ? find_function(name, 1) : nullptr;
  return function != nullptr && function->kind == FunctionKind::kAggregate;
}

}  // namespace hdbench::queries
