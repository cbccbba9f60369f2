// Turns the comparison of a value with a literal into a test.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/column/domain.h"
#include "engine/operator/plan.h"
#include "queries/literal/key_position.h"
#include "queries/literal/literal.h"

namespace hdbench::queries {

// The comparison that is written so; nothing: it is none.
std::optional<Comparison> comparison_of(std::string_view name);

// What it becomes when its sides are swapped; nothing where they cannot be.
std::optional<Comparison> flipped(Comparison comparison);

// What is tested: a column or an expression.
struct TestSubject {
  std::string text;  // for messages: column bid
  QType type = QType::kLong;
  const Domain* domain = nullptr;  // symbols
};

struct LiteralComparison {
  Comparison comparison = Comparison::kEqual;
  std::size_t position = 0;  // in the text
  Literal value;
};

// Which test a comparison becomes:
// - = < <= > >= within: RangeTest (key_position.h); <> as =, which the caller negates;
// - in: SetTest of the keys that the type can hold; RangeTest where that is one or none;
// - symbols: CodeTest, whatever the comparison; < <= > >= within by text, byte by byte;
// - guids: GuidTest (= <> in only);
// - like: CodeTest for symbols, LikeTest for chars and for lists (of strings).
// Integers are compared with integral temporals by number, a timestamp with times as the time of
// its day. Errors: 'type and 'length as q has them, with what was found.
Result<Test> bind_literal_test(const TestSubject& subject, LiteralComparison parsed);

}  // namespace hdbench::queries
