// Symbols as values of expressions, and values that are looked up in lists and dictionaries.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "queries/expression/bound_value.h"
#include "queries/expression/expression_builder.h"
#include "queries/literal/literal.h"

namespace hdbench::queries {

// A symbol of a domain of its own.
BoundValue symbol_constant(const std::string& text, ExpressionBuilder& builder);

// Makes both codes of one domain: of one that has all symbols of both, where theirs differ.
void share_domain(BoundValue& x, BoundValue& y, ExpressionBuilder& builder);

// The symbol that each symbol's text becomes.
BoundValue map_symbols(const BoundValue& x, const std::function<std::string(std::string_view)>& map,
                       ExpressionBuilder& builder);

// Each symbol's place in the order of texts, a long.
BoundValue symbol_ranks(const BoundValue& x, ExpressionBuilder& builder);

// The place of a value in a list that rises: of the last element that is at most it, -1 before the
// first. Errors: 'type; a list that does not rise.
Result<BoundValue> bind_bin(const Literal& list, const BoundValue& x, ExpressionBuilder& builder);

// The element of a list at an index, a null outside. Errors: 'type.
Result<BoundValue> bind_index(const Literal& list, const BoundValue& index,
                              ExpressionBuilder& builder);

// The value of a key that equals x, or, of a step dictionary, of the last key that is at most it;
// else a null. Errors: 'type; keys of a step dictionary that do not rise.
Result<BoundValue> bind_dictionary(const Literal& keys, const Literal& values, bool is_step,
                                   const BoundValue& x, ExpressionBuilder& builder);

}  // namespace hdbench::queries
