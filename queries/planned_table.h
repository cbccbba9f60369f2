// What a query reads that is no table: rows that other plans will make, of which the schema alone
// is known when the query is bound.
#pragma once

#include <string>
#include <utility>

#include "engine/base/check.h"
#include "engine/column/table.h"

namespace hdbench::queries {

class PlannedTable final : public Table {
 public:
  // `name`: for messages.
  PlannedTable(std::string name, Schema schema)
      : name_(std::move(name)), schema_(std::move(schema)) {}

  const std::string& name() const override { return name_; }
  const Schema& schema() const override { return schema_; }
  std::size_t part_count() const override { return 1; }
  std::int64_t partition_value(std::size_t /*part*/) const override { return 0; }
  Result<std::uint64_t> rows(std::size_t /*part*/) const override { return std::uint64_t{0}; }
  Result<const Column*> column(std::size_t /*part*/, std::size_t /*field*/) const override {
    HDB_CHECK(false, "binding reads no data");
    return nullptr;
  }

 private:
  std::string name_;
  Schema schema_;
};

}  // namespace hdbench::queries
