// A table as the engine sees it: a schema, and parts whose columns are mapped on first use.
//
// A partitioned table has one part for each partition and the partition field (`date`) as virtual
// field 0; a flat or splayed table has one part and only real fields. Implementations: DiskTable
// and LinkedTable (storage), MemoryTable (flat and saved tables, tests).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/column/column.h"
#include "engine/column/domain.h"
#include "engine/column/type.h"

namespace hdbench {

struct Field {
  std::string name;
  QType type = QType::kLong;
  Attribute attribute = Attribute::kNone;  // as the newest partition has it
  std::shared_ptr<const Domain> domain;    // symbols only
  // Why no query may name the field; its type, attribute and domain are then what could be read.
  std::optional<Error> unreadable = {};
  // Rows of another table: the name of that table, at the root.
  std::string link = {};
  // A linked table's column, `link.column`: known by its name, none of the table's own fields.
  bool followed = false;
  // Lists that a query made: the type of their items, whose symbols are of `domain`.
  std::optional<QType> items = {};
};

struct Schema {
  std::vector<Field> fields;
  // Field 0 is the virtual partition field: no column, one value a part.
  bool partitioned = false;
  // Field 0 was that field: partitions that were joined to one (flat_table.h).
  bool was_partitioned = false;

  // The table's own fields; those that are followed come behind them.
  std::size_t own_fields() const {
    std::size_t own = fields.size();
    while (own > 0 && fields[own - 1].followed) --own;
    return own;
  }

  std::optional<std::size_t> find(std::string_view name) const {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (fields[i].name == name) return i;
    }
    return std::nullopt;
  }
};

class Table {
 public:
  virtual ~Table() = default;
  virtual const std::string& name() const = 0;
  virtual const Schema& schema() const = 0;
  // What is odd about the table and still right, a line each.
  virtual std::vector<std::string> notes() const { return {}; }
  // Parts in rising partition order; neighbours may have one value (segments that share it).
  virtual std::size_t part_count() const = 0;
  // The value of virtual field 0 in its own type (date: days). Requires schema().partitioned.
  virtual std::int64_t partition_value(std::size_t part) const = 0;
  // Rows of a part (maps one column when not known yet). Safe from several threads.
  virtual Result<std::uint64_t> rows(std::size_t part) const = 0;
  // A real column of a part, mapped and header-checked when first requested; its rows equal
  // rows(part) or that is the error. An unreadable field's error is its own. The pointer lives as
  // long as the table, or until release_columns(). Safe from several threads. Requires: field is
  // not the virtual one.
  virtual Result<const Column*> column(std::size_t part, std::size_t field) const = 0;
  // Told of a column (an error's subject) that has a code outside its domain: whether column() now
  // gives others in its field's place, in which nulls are symbols of the domain, so that what
  // failed is worth another try. The old columns stay valid. Safe from several threads.
  virtual bool mend_codes(const void* /*column*/) const { return false; }
  // After a column was refused for want of memory maps: lets the columns of earlier queries go and
  // returns true: those of one query may fit. False: nothing was refused. Not while pointers to
  // columns are in use.
  virtual bool release_columns() const { return false; }
};

}  // namespace hdbench
