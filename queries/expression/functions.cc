#include "queries/expression/functions.h"

#include <algorithm>
#include <array>

namespace hdbench::queries {
namespace {

constexpr std::string_view kNumber = "a number";
constexpr std::string_view kNumberOrSpan = "a number or a span of time";
constexpr std::string_view kComparable = "two values of one kind";

constexpr Function scalar(std::string_view name, std::size_t arity, Operation operation,
                          std::string_view takes) {
  return {name, arity, FunctionKind::kOperation, operation, Aggregate::kNone, takes};
}

constexpr Function aggregate(std::string_view name, std::size_t arity, Aggregate which) {
  return {name, arity, FunctionKind::kAggregate, Operation::kConstant, which, {}};
}

constexpr Function other(std::string_view name, std::size_t arity, FunctionKind kind) {
  return {name, arity, kind, Operation::kConstant, Aggregate::kNone, {}};
}

constexpr Function running(std::string_view name, std::size_t arity, Uniform which) {
  Function function = other(name, arity, FunctionKind::kUniform);
  function.uniform = which;
  return function;
}

constexpr std::array kFunctions = {
    scalar("+", 2, Operation::kAdd, "two numbers, or a temporal and a span or an integer"),
    scalar("-", 2, Operation::kSubtract,
           "two numbers, two temporals of one kind, or a temporal and a span or an integer"),
    scalar("*", 2, Operation::kMultiply, "two numbers, or a span of time and an integer"),
    scalar("%", 2, Operation::kDivide, "two numbers or spans of time"),
    scalar("div", 2, Operation::kIntegerDivide, "two numbers, or a temporal and an integer"),
    scalar("mod", 2, Operation::kModulo, "two numbers, or a temporal and an integer"),
    scalar("xbar", 2, Operation::kBar,
           "a number and a number, or a span or an integer and a temporal"),
    scalar("&", 2, Operation::kLesser, kComparable),
    scalar("|", 2, Operation::kGreater, kComparable),
    scalar("and", 2, Operation::kLesser, kComparable),
    scalar("or", 2, Operation::kGreater, kComparable),
    scalar("^", 2, Operation::kFill, kComparable),
    scalar("=", 2, Operation::kEqual, kComparable),
    scalar("<>", 2, Operation::kNotEqual, kComparable),
    scalar("<", 2, Operation::kLess, kComparable),
    scalar("<=", 2, Operation::kLessEqual, kComparable),
    scalar(">", 2, Operation::kGreaterThan, kComparable),
    scalar(">=", 2, Operation::kGreaterEqual, kComparable),
    scalar("neg", 1, Operation::kNegate, kNumberOrSpan),
    scalar("abs", 1, Operation::kAbsolute, kNumberOrSpan),
    scalar("signum", 1, Operation::kSignum, kNumberOrSpan),
    scalar("sqrt", 1, Operation::kSquareRoot, kNumber),
    scalar("exp", 1, Operation::kExponential, kNumber),
    scalar("log", 1, Operation::kLogarithm, kNumber),
    scalar("reciprocal", 1, Operation::kReciprocal, kNumber),
    scalar("floor", 1, Operation::kFloor, kNumber),
    scalar("ceiling", 1, Operation::kCeiling, kNumber),
    scalar("not", 1, Operation::kNot, "a boolean, a number or a temporal"),
    scalar("null", 1, Operation::kIsNull, "a number, a temporal, a char, a symbol or a guid"),
    scalar("?", 3, Operation::kChoose, "a boolean and two values of one kind"),
    other("in", 2, FunctionKind::kTest),
    other("within", 2, FunctionKind::kTest),
    other("like", 2, FunctionKind::kTest),
    other("$", 2, FunctionKind::kCast),
    other("distinct", 1, FunctionKind::kDistinct),
    other("asc", 1, FunctionKind::kList),
    other("desc", 1, FunctionKind::kList),
    other("reverse", 1, FunctionKind::kList),
    other("#", 2, FunctionKind::kList),
    other("_", 2, FunctionKind::kList),
    other("sublist", 2, FunctionKind::kList),
    other("where", 2, FunctionKind::kList),
    other("upper", 1, FunctionKind::kSymbols),
    other("lower", 1, FunctionKind::kSymbols),
    other("count each", 1, FunctionKind::kItemCount),
    other("bin", 2, FunctionKind::kBin),
    other("@", 2, FunctionKind::kApply),
    other("!", 2, FunctionKind::kDictionary),
    other("`s#!", 2, FunctionKind::kDictionary),
    aggregate("count", 1, Aggregate::kCount),
    aggregate("sum", 1, Aggregate::kSum),
    aggregate("avg", 1, Aggregate::kAvg),
    aggregate("min", 1, Aggregate::kMin),
    aggregate("max", 1, Aggregate::kMax),
    aggregate("first", 1, Aggregate::kFirst),
    aggregate("last", 1, Aggregate::kLast),
    aggregate("med", 1, Aggregate::kMed),
    aggregate("dev", 1, Aggregate::kDev),
    aggregate("var", 1, Aggregate::kVar),
    aggregate("sdev", 1, Aggregate::kSampleDev),
    aggregate("svar", 1, Aggregate::kSampleVar),
    aggregate("any", 1, Aggregate::kAny),
    aggregate("all", 1, Aggregate::kAll),
    aggregate("wavg", 2, Aggregate::kWavg),
    aggregate("wsum", 2, Aggregate::kWsum),
    aggregate("cov", 2, Aggregate::kCov),
    aggregate("scov", 2, Aggregate::kSampleCov),
    aggregate("cor", 2, Aggregate::kCor),
    other("fby", 2, FunctionKind::kFby),
    running("sums", 1, Uniform::kSums),
    running("prds", 1, Uniform::kPrds),
    running("maxs", 1, Uniform::kMaxs),
    running("mins", 1, Uniform::kMins),
    running("deltas", 1, Uniform::kDeltas),
    running("ratios", 1, Uniform::kRatios),
    running("differ", 1, Uniform::kDiffer),
    running("prev", 1, Uniform::kPrev),
    running("next", 1, Uniform::kNext),
    running("fills", 1, Uniform::kFills),
    running("rank", 1, Uniform::kRank),
    running("string", 1, Uniform::kString),
    running("msum", 2, Uniform::kMsum),
    running("mavg", 2, Uniform::kMavg),
    running("mmax", 2, Uniform::kMmax),
    running("mmin", 2, Uniform::kMmin),
    running("mdev", 2, Uniform::kMdev),
    running("mcount", 2, Uniform::kMcount),
    running("xprev", 2, Uniform::kXprev),
};

constexpr auto kMissingUnary = std::to_array<std::string_view>(
    {"acos",  "asin",   "atan", "attr",   "avgs", "cos", "enlist", "fkeys", "flip",
     "group", "hcount", "iasc", "idesc",  "inv",  "key", "ltrim",  "prd",   "rand",
     "raze",  "rtrim",  "sin",  "tables", "tan",  "til", "trim",   "type",  "value"});
constexpr auto kMissingInfix = std::to_array<std::string_view>(
    {"ema",   "asof", "binr", "cross",  "cut", "except", "inter",  "union", "vs",    "sv",
     "ss",    "lj",   "ij",   "uj",     "pj",  "ej",     "xasc",   "xdesc", "xcol",  "xkey",
     "xrank", "xexp", "xlog", "rotate", "set", "insert", "upsert", "each",  "peach", "~"});
constexpr auto kMissingBrackets =
    std::to_array<std::string_view>({"aj", "aj0", "ajf", "wj", "wj1", "ssr"});

constexpr Function kNoUnary = other("", 1, FunctionKind::kMissing);
constexpr Function kNoInfix = other("", 2, FunctionKind::kMissing);
constexpr Function kNoBrackets = other("", 3, FunctionKind::kMissing);

template <typename Words>
bool has_word(const Words& words, std::string_view name) {
  return std::find(words.begin(), words.end(), name) != words.end();
}

}  // namespace

const Function* find_function(std::string_view name, std::size_t arity) {
  for (const Function& one : kFunctions) {
    if (one.name == name && one.arity == arity) return &one;
  }
  if (arity == 1 && has_word(kMissingUnary, name)) return &kNoUnary;
  if (arity == 2 && has_word(kMissingInfix, name)) return &kNoInfix;
  if (arity == 3 && has_word(kMissingBrackets, name)) return &kNoBrackets;
  return nullptr;
}

const Function* find_function(std::string_view name) {
  for (std::size_t arity = 1; arity <= 3; ++arity) {
    if (const Function* found = find_function(name, arity)) return found;
  }
  return nullptr;
}

}  // namespace hdbench::queries
