// The tests' table: `quote`, partitioned by date, with a column of every type.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"
#include "queries/query.h"

namespace hdbench::queries {

// Codes: 0 val1, 1 val2, 2 val3, 3 the empty symbol, 4 other.
inline std::shared_ptr<const Domain> sample_domain() {
  static const auto domain = make_domain("sym", {"val1", "val2", "val3", "", "other"});
  return domain;
}

// Has the paper's columns and one column per type, named after the type's letter (bx, hx, ...).
// Has no rows: binding reads no data.
inline const Table& sample_table() {
  static const MemoryTable table = [] {
    Schema schema;
    schema.partitioned = true;
    const auto add = [&](std::string name, QType type) {
      const auto domain = type == QType::kSymbol ? sample_domain() : nullptr;
      schema.fields.push_back({std::move(name), type, Attribute::kNone, domain});
    };
    add("date", QType::kDate);
    add("time", QType::kTime);
    for (const char* name : {"col1", "col2", "col3"}) add(name, QType::kSymbol);
    for (const char* name : {"bid", "ask"}) add(name, QType::kFloat);
    for (const char* name : {"bsize", "asize"}) add(name, QType::kLong);
    add("bx", QType::kBoolean);
    add("gx", QType::kGuid);
    add("xx", QType::kByte);
    add("hx", QType::kShort);
    add("ix", QType::kInt);
    add("ex", QType::kReal);
    add("cx", QType::kChar);
    add("px", QType::kTimestamp);
    add("mx", QType::kMonth);
    add("zx", QType::kDatetime);
    add("nx", QType::kTimespan);
    add("ux", QType::kMinute);
    add("vx", QType::kSecond);
    add("text", QType::kNested);
    return MemoryTable("quote", std::move(schema), {});
  }();
  return table;
}

// Parses and binds a query, every name being this table's.
inline Result<std::shared_ptr<const Plan>> bind_text(const std::string& text,
                                                     const Table& table = sample_table(),
                                                     BindTables tables = {}) {
  HDB_ASSIGN(const Query query, parse_query(text));
  tables.find = [&](const std::string&) -> Result<const Table*> { return &table; };
  HDB_ASSIGN(BoundQuery bound, bind(query, tables));
  return std::move(bound.plan);
}

// The same; fails the test on an error.
inline Plan bind_good(const std::string& text) {
  INFO(text);
  const auto plan = bind_text(text);
  if (!plan.ok()) FAIL(plan.error().message);
  return **plan;
}

// The error of a query that must fail, in parsing or in binding.
inline Error bind_bad(const std::string& text) {
  INFO(text);
  const auto plan = bind_text(text);
  if (plan.ok()) FAIL("accepted: " << text);
  return plan.error();
}

// Checks that a query fails with this message and its caret at the `@` in the text (which is taken
// out first).
inline void check_bad(std::string text, const std::string& message) {
  INFO(text);
  const std::size_t caret = text.find('@');
  REQUIRE(caret != text.npos);
  text.erase(caret, 1);
  const Error error = bind_bad(text);
  CHECK(error.kind == ErrorKind::kUsage);
  CHECK(error.message == message);
  CHECK(error.caret == caret);
}

// The only condition of `select from quote where ...`.
inline Condition bind_where(const std::string& condition) {
  Plan plan = bind_good("select from quote where " + condition);
  REQUIRE(plan.where.size() == 1);
  return plan.where.front();
}

}  // namespace hdbench::queries
