// Evaluates an expression over blocks of rows.
//
// A block's intermediate values stay in the first-level caches; values that no row changes are
// worked out once. Memory comes from the query's workspace. Single-threaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include "engine/column/domain.h"
#include "engine/column/result_table.h"
#include "engine/expression/arithmetic.h"
#include "engine/expression/expression.h"

namespace hdbench {

// The fields that an expression reads, rising, each once.
std::vector<std::size_t> fields_of(const Expression& expression);

// Whether it reads i.
bool reads_row_numbers(const Expression& expression);

// The same values in fewer words (lowering.cc): casts between temporal types and the parts of
// temporals become products, quotients and rests of their numbers. What is left of casts is between
// numbers (the number that a temporal is stored as is one), and between dates and months;
// comparisons are kEqual, kNotEqual, kLess and kLessEqual.
Expression lowered(const Expression& expression);

class Evaluator {
 public:
  static constexpr std::size_t kBlockRows = kStepRowsMax;
  // While a block is worked on, lines of the fields are requested this many blocks behind it: far
  // enough for memory's latency.
  static constexpr std::size_t kBlocksAhead = 2;

  // domain_of(field): of a field of symbols, while this is used.
  using DomainOf = std::function<const Domain*(std::size_t field)>;
  Evaluator(const Expression& expression, const DomainOf& domain_of,
            std::pmr::memory_resource& resource);

  // Elements of `count` rows, packed; symbols as codes of 8 bytes within their domain, nested cells
  // resolved.
  struct Block {
    std::span<const std::byte* const> fields;   // by place in fields_of()
    const std::int64_t* row_numbers = nullptr;  // where reads_row_numbers()
    std::size_t count = 0;                      // kBlockRows at most
    bool goes_on = false;                       // the fields' next elements are behind these
  };
  // For readers to whom all nulls are alike: the bits of a null real or float may differ from row
  // to row then.
  void leave_nulls() { makes_nulls_one_ = false; }
  // Writes the values to `out`, which is aligned to them.
  void evaluate(const Block& block, std::byte* out);

 private:
  static constexpr std::size_t kNone = SIZE_MAX;
  struct Place {
    enum class Kind : std::uint8_t {
      kField,
      kRows,
      kFolded,
      kConstant,
      kTemporary
    } kind = Kind::kTemporary;
    std::size_t index = 0;  // of a field, or of a buffer
    const Domain* domain = nullptr;
    std::vector<std::uint8_t> likes;  // of a pattern for symbols: by code
    std::vector<std::int64_t> found;  // of elements of one byte that a set has: by value
  };

  bool is_constant(const ExpressionNode& node) const;
  std::vector<bool> folded_casts() const;
  std::uint32_t read_of(std::uint32_t argument) const;
  void place_nodes(const DomainOf& domain_of);
  std::byte* buffer(std::size_t index) { return buffers_.data() + index * buffer_bytes_; }
  const std::byte* values(std::size_t node, const Block& block);
  void run(std::size_t node, const Block& block, std::byte* out, LinesAhead* ahead = nullptr);
  void run_lookup(std::size_t node, const ArithmeticStep& step) const;
  void find_places(std::size_t node, const ArithmeticStep& step) const;

  Expression expression_;     // lowered
  std::vector<bool> folded_;  // casts that the nodes which read them make on the way
  std::vector<std::size_t> fields_;
  std::vector<std::uint32_t> field_widths_;
  LinesAhead ahead_;
  bool makes_nulls_one_ = true;
  std::vector<Place> places_;  // by node
  std::size_t buffer_bytes_ = 0;
  Buffer buffers_;
};

}  // namespace hdbench
