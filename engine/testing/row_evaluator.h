// Evaluates an expression for one row, by the definitions: what property tests compare with. Shares
// nothing with the evaluator but the expression and the calendar.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "engine/expression/expression.h"

namespace hdbench {

struct RowValue {
  QType type = QType::kLong;
  std::int64_t integer = 0;  // integers and temporals; symbols: the code
  double number = 0;         // reals and floats
  std::string text;          // symbols, strings, chars; guids: the bytes

  bool is_null() const;
};

// field(f): the row's value of a field. Of symbols the empty text is the null.
RowValue evaluate_row(const Expression& expression,
                      const std::function<RowValue(std::size_t field)>& field,
                      std::int64_t row_number);

// The value with these bytes in front: not of symbols and lists.
RowValue row_value(QType type, const std::byte* element);
// Its element, of type_width() bytes: not of lists.
std::string element_of(const RowValue& value);

}  // namespace hdbench
