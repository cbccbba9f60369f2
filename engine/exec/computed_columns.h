// What expressions make: the computed fields of one worker, as columns made for the rows that it
// works on, and the columns of a result that are made of its aggregates.
//
// A buffer holds the elements of the rows that were made last; the column's data is placed so that
// they are addressed by their rows in the part, as those of other columns are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include "engine/column/result_table.h"
#include "engine/exec/query_input.h"
#include "engine/expression/evaluator.h"
#include "engine/operator/partition_view.h"

namespace hdbench {

class ComputedColumns final : public ComputedFields {
 public:
  // `input` must outlive this.
  ComputedColumns(const QueryInput& input, std::pmr::memory_resource& resource);
  ComputedColumns(const ComputedColumns&) = delete;
  ComputedColumns& operator=(const ComputedColumns&) = delete;

  // The view with the computed fields' columns, until the next one is requested; the input's own
  // where the plan computes none.
  const PartitionView& view(std::size_t number);

  std::span<const std::size_t> inputs(std::size_t field) const override {
    return input_.computed_inputs[field - view_.first_computed];
  }
  Status make(std::size_t field, RowRange rows, const std::uint64_t* bits) override;

 private:
  struct Computed {
    Computed(const QueryInput& input, std::size_t field, std::pmr::memory_resource& resource);

    Column column;
    Buffer elements;
    Evaluator evaluator;
    std::vector<const std::byte*> inputs;  // of a block
    bool reads_rows = false;
    // Of symbols and lists only selected rows are looked at: others may have none.
    bool must_pack = false;
  };
  // Elements of an input's rows, those whose bit is set, packed.
  Result<const std::byte*> load(std::size_t field, RowRange rows, const std::uint64_t* bits,
                                std::size_t count, std::byte* block);
  // Values of the selected rows of a block, packed.
  Status evaluate(Computed& computed, std::span<const std::size_t> fields, RowRange rows,
                  const std::uint64_t* bits, std::size_t count, std::byte* out);

  const QueryInput& input_;
  std::pmr::memory_resource& resource_;
  std::optional<std::size_t> view_number_;
  PartitionView view_;
  std::vector<Computed> computed_;
  Buffer blocks_;  // a block of each input, one of codes, one of row numbers, one of values
};

// gather_rows() (gather.h) of any field of the input.
Status gather_field_rows(const QueryInput& input, std::size_t field,
                         std::span<const std::uint64_t> row_ids, std::uint32_t width,
                         std::byte* out, std::pmr::memory_resource& resource);

// The keys, then Plan::results, made of the outputs a row at a time, in their place. What is
// written is logged.
ResultTable with_results(const Plan& plan, ResultTable table, QueryContext& context);

}  // namespace hdbench
