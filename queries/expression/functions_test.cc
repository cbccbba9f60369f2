#include "queries/expression/functions.h"

#include "engine/base/catch.h"

namespace hdbench::queries {

TEST_CASE("a function is known by its name and how many arguments it has") {
  CHECK(find_function("+", 2)->operation == Operation::kAdd);
  CHECK(find_function("+", 1) == nullptr);
  CHECK(find_function("sum", 1)->aggregate == Aggregate::kSum);
  CHECK(find_function("wavg", 2)->kind == FunctionKind::kAggregate);
  CHECK(find_function("?", 3)->operation == Operation::kChoose);
  CHECK(find_function("or")->operation == Operation::kGreater);
}

TEST_CASE("what q has and hdbench lacks is missing, what neither has is not there") {
  CHECK(find_function("avgs", 1)->kind == FunctionKind::kMissing);
  CHECK(find_function("ema", 2)->kind == FunctionKind::kMissing);
  CHECK(find_function("aj", 3)->kind == FunctionKind::kMissing);
  CHECK(find_function("nope") == nullptr);
  CHECK(find_function("") == nullptr);
}

}  // namespace hdbench::queries
