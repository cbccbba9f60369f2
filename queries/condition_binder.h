// Binds conditions to a schema: finds columns, checks types, turns literals into tests.
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "engine/column/table.h"
#include "engine/operator/plan.h"
#include "queries/query.h"
#include "queries/syntax.h"

namespace hdbench {

// `text` is the query's. Which test a comparison becomes:
// - = < <= > >= within: RangeTest (key_position.h); <> is = negated;
// - in: SetTest of the keys that the column can hold; RangeTest where that is one or none;
// - symbols: CodeTest, whatever the comparison; < <= > >= within by text, byte by byte;
// - guids: GuidTest (= <> in only);
// - like: CodeTest for symbols, LikeTest for chars and for lists (of strings).
// Errors: 'type and 'length as q has them, with what was found; an unknown column.
Result<Condition> bind_condition(const ParsedCondition& parsed, std::string_view text,
                                 const Table& table, Unreadable unreadable = Unreadable::kError);

}  // namespace hdbench
