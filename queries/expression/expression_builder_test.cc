#include "queries/expression/expression_builder.h"

#include "engine/base/catch.h"
#include "queries/expression/expression_text.h"

namespace hdbench::queries {
namespace {

ExpressionNode long_node(std::int64_t value) { return constant_node({QType::kLong, value, 0}); }

}  // namespace

TEST_CASE("equal nodes are one") {
  ExpressionBuilder builder;
  const auto x = builder.field(1, QType::kLong);
  CHECK(builder.field(1, QType::kLong) == x);
  CHECK(builder.field(2, QType::kLong) != x);
  const auto sum = builder.apply(Operation::kAdd, QType::kLong, {x, x});
  CHECK(builder.apply(Operation::kAdd, QType::kLong, {x, x}) == sum);
  CHECK(builder.in_set(x, {1, 2}) != builder.in_set(x, {1, 3}));
}

TEST_CASE("what is constant is computed at once, a cast to the own type is none") {
  ExpressionBuilder builder;
  const auto two = builder.add(long_node(2));
  const auto sum = builder.apply(Operation::kAdd, QType::kLong, {two, two});
  CHECK(builder.is_constant(sum));
  CHECK(constant_text(builder[sum]) == "4j");
  CHECK(builder.cast(two, QType::kLong) == two);
  CHECK(constant_text(builder[builder.cast(two, QType::kFloat)]) == "2f");
  CHECK(constant_text(builder[builder.boolean(true)]) == "1b");
}

TEST_CASE("only the nodes that a value needs are taken, in their order") {
  ExpressionBuilder builder;
  const auto unused = builder.field(7, QType::kLong);
  const auto x = builder.field(1, QType::kLong);
  const auto two = builder.add(long_node(2));
  const auto sum = builder.apply(Operation::kAdd, QType::kLong, {x, two});
  builder.apply(Operation::kMultiply, QType::kLong, {sum, unused});
  const Expression taken = builder.take(sum);
  REQUIRE(taken.nodes.size() == 3);
  CHECK(taken.nodes[0].field == 1);
  CHECK(taken.nodes[2].arguments[0] == 0);
  CHECK(taken.nodes[2].arguments[1] == 1);
  CHECK(builder.take(x).nodes.size() == 1);
}

}  // namespace hdbench::queries
