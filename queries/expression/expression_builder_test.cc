#include "queries/expression/expression_builder.h"

#include <limits>

#include "engine/base/catch.h"
#include "queries/testing/expression_text.h"

namespace hdbench::queries {
namespace {

ExpressionNode integer(QType type, std::int64_t value) { return constant_node({type, value, 0}); }
ExpressionNode real(QType type, double value) { return constant_node({type, value, 0}); }

std::string folded(Operation operation, QType type, const ExpressionNode& x,
                   const ExpressionNode& y) {
  const auto node = fold(operation, type, x, &y);
  return node ? constant_text(*node) : "unknown";
}

std::string cast_text(const ExpressionNode& node, QType type) {
  const auto made = cast_constant(node, type);
  return made ? constant_text(*made) : "unknown";
}

constexpr std::int64_t kMaxInt = std::numeric_limits<std::int32_t>::max();

}  // namespace

TEST_CASE("atoms become constants and come back") {
  for (const Atom& atom : {Atom{QType::kLong, std::int64_t{5}, 0}, Atom{QType::kInt, kNullLong, 0},
                           Atom{QType::kShort, kNullLong, 0}, Atom{QType::kDate, kInfinity, 0},
                           Atom{QType::kTime, -kInfinity, 0}, Atom{QType::kInt, kMaxInt, 0},
                           Atom{QType::kBoolean, std::int64_t{1}, 0}, Atom{QType::kReal, 1.5, 0},
                           Atom{QType::kFloat, -2.25, 0}, Atom{QType::kTimestamp, kInfinity, 0},
                           Atom{QType::kChar, std::int64_t{255}, 0}}) {
    const ExpressionNode node = constant_node(atom);
    CHECK(node.type == atom.type);
    CHECK(constant_atom(node).value == atom.value);
  }
  CHECK(is_null(constant_atom(real(QType::kReal, std::numeric_limits<double>::quiet_NaN()))));
}

TEST_CASE("integers wrap in their width") {
  CHECK(folded(Operation::kAdd, QType::kInt, integer(QType::kInt, kMaxInt),
               integer(QType::kInt, 2)) == "-2147483647i");
  CHECK(folded(Operation::kMultiply, QType::kLong, integer(QType::kLong, kInfinity),
               integer(QType::kLong, 2)) == "-2j");
  CHECK(folded(Operation::kSubtract, QType::kLong, integer(QType::kLong, 2),
               integer(QType::kLong, 3)) == "-1j");
}

TEST_CASE("a null argument gives a null") {
  CHECK(folded(Operation::kAdd, QType::kInt, integer(QType::kInt, kNullLong),
               integer(QType::kInt, 2)) == "0Ni");
  CHECK(folded(Operation::kMultiply, QType::kFloat, real(QType::kFloat, 2),
               real(QType::kFloat, std::numeric_limits<double>::quiet_NaN())) == "0Nf");
}

TEST_CASE("comparisons put nulls first, and equal nulls are equal") {
  const ExpressionNode null = integer(QType::kInt, kNullLong);
  CHECK(folded(Operation::kLess, QType::kBoolean, null, integer(QType::kInt, -kMaxInt)) == "1b");
  CHECK(folded(Operation::kEqual, QType::kBoolean, null, null) == "1b");
  CHECK(folded(Operation::kGreaterThan, QType::kBoolean, real(QType::kFloat, 2),
               real(QType::kFloat, std::numeric_limits<double>::quiet_NaN())) == "1b");
}

TEST_CASE("constants are cast where the value is certain") {
  CHECK(cast_text(integer(QType::kLong, 5), QType::kFloat) == "5f");
  CHECK(cast_text(integer(QType::kLong, 5), QType::kInt) == "5i");
  CHECK(cast_text(integer(QType::kLong, kMaxInt + 1), QType::kInt) == "unknown");
  CHECK(cast_text(integer(QType::kInt, kNullLong), QType::kLong) == "0Nj");
  CHECK(cast_text(integer(QType::kInt, kNullLong), QType::kFloat) == "0Nf");
  CHECK(cast_text(real(QType::kFloat, 2.5), QType::kLong) == "unknown");
  CHECK(cast_text(integer(QType::kMinute, 5), QType::kTimespan) == "300000000000n");
  CHECK(cast_text(integer(QType::kTimespan, 90'000'000'000), QType::kMinute) == "1u");
  CHECK(cast_text(integer(QType::kDate, 1), QType::kTimestamp) == "86400000000000p");
  CHECK(cast_text(integer(QType::kLong, 3), QType::kDate) == "3d");
  CHECK(cast_text(integer(QType::kDate, 3), QType::kMinute) == "unknown");
}

TEST_CASE("divisions by zero are infinities and nulls") {
  const double infinite = std::numeric_limits<double>::infinity();
  const ExpressionNode zero = real(QType::kFloat, 0);
  const auto node = fold(Operation::kDivide, QType::kFloat, real(QType::kFloat, -1), &zero);
  REQUIRE(node.has_value());
  CHECK(std::get<double>(constant_atom(*node).value) == -infinite);
  CHECK(folded(Operation::kDivide, QType::kFloat, zero, zero) == "0Nf");
}

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
  const auto two = builder.add(integer(QType::kLong, 2));
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
  const auto two = builder.add(integer(QType::kLong, 2));
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
