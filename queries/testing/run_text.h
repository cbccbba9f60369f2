// Queries run over the two small tables.
#pragma once

#include <memory_resource>
#include <string>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/format_value.h"
#include "engine/exec/execute.h"
#include "engine/testing/row_reference.h"
#include "queries/query.h"
#include "queries/testing/two_tables.h"

namespace hdbench::queries {

inline Result<BoundQuery> bound(const std::string& text,
                                const std::vector<std::string>& names = {"quote", "trade"}) {
  HDB_ASSIGN(const Query query, parse_query(text));
  const FindTable find = [](const std::string& name) -> Result<const Table*> {
    if (name == "trade") return &trade();
    return &quote();
  };
  return bind(query, {find, names});
}

// The columns' names and the rows, as CSV: "a,b|1,2|3,4". They are the reference's too.
inline std::string rows_of(const std::string& text) {
  INFO(text);
  static ThreadPool pool(2);
  const auto query = bound(text);
  if (!query.ok()) return query.error().message;
  Workspace workspace(0, *std::pmr::new_delete_resource());
  const auto rows = execute(*query->table, *query->plan, {}, pool, workspace);
  if (!rows.ok()) return rows.error().message;
  const bool is_pivot = query->plan->pivot != Plan::Pivot::kNone;
  REQUIRE(
      (is_pivot || first_difference(to_plain(*rows), run_by_rows(*query->table, *query->plan)) ==
                       kNoDifference));
  std::string shown;
  for (const ResultColumn& column : rows->columns)
    shown += (shown.empty() ? "" : ",") + column.name;
  for (std::uint64_t row = 0; row < rows->rows; ++row) {
    for (std::size_t c = 0; c < rows->columns.size(); ++c) {
      const ResultColumn& column = rows->columns[c];
      shown += c == 0 ? '|' : ',';
      append_value(shown, column.type, column.width, column.buffer.data() + row * column.width,
                   column.domain.get());
    }
  }
  return shown;
}

// That the text is refused with this message, the caret where it has an @.
inline void check_caret(std::string text, const std::string& message) {
  INFO(text);
  const std::size_t caret = text.find('@');
  text.erase(caret, 1);
  const auto query = bound(text);
  REQUIRE_FALSE(query.ok());
  CHECK(query.error().message == message);
  CHECK(query.error().caret == caret);
}

}  // namespace hdbench::queries
