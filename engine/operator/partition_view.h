// A view: one part of a table as a query sees it, with its needed columns mapped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/column/column.h"

namespace hdbench {

struct RowRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t rows() const { return end - begin; }
};

// Makes the columns of fields that a query computes, a few rows at a time.
class ComputedFields {
 public:
  virtual ~ComputedFields() = default;
  // The schema's fields that it is made of.
  virtual std::span<const std::size_t> inputs(std::size_t field) const = 0;
  // Makes the field's column have the elements of these rows, at least of those whose bit is set
  // (null: all), until the next call for this field; of other rows none may be used. Errors: those
  // of reading the inputs.
  virtual Status make(std::size_t field, RowRange rows, const std::uint64_t* bits) = 0;
};

struct PartitionView {
  std::size_t part = 0;
  // The virtual partition field's value; 0 where there is none.
  std::int64_t partition_value = 0;
  std::uint64_t rows = 0;
  // By field of the schema; null for the virtual field and for fields that the query does not need.
  // Computed fields come behind: null but in a view of one worker's own.
  std::vector<const Column*> columns;
  ComputedFields* computed = nullptr;
  std::size_t first_computed = 0;

  bool is_computed(std::size_t field) const {
    return computed != nullptr && field >= first_computed;
  }
};

// A row of the views of a query as one number that sorts as rows do: the view's place, then the
// row in it.
struct RowId {
  static constexpr int kRowBits = 40;
  static constexpr std::uint64_t make(std::size_t view, std::uint64_t row) {
    return static_cast<std::uint64_t>(view) << kRowBits | row;
  }
  static constexpr std::size_t view(std::uint64_t id) {
    return static_cast<std::size_t>(id >> kRowBits);
  }
  static constexpr std::uint64_t row(std::uint64_t id) {
    return id & ((std::uint64_t{1} << kRowBits) - 1);
  }
};

}  // namespace hdbench
