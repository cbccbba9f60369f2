#include "queries/expression/symbol_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "engine/column/memory_table.h"
#include "engine/column/order_key.h"
#include "queries/expression/expression_types.h"
#include "queries/literal/key_position.h"
#include "queries/types.h"

namespace hdbench::queries {
namespace {

using Index = ExpressionBuilder::Index;

// Symbols, each once, and where each text is among them.
class SymbolList {
 public:
  std::int64_t code_of(std::string_view text) {
    const auto [found, is_new] = codes_.try_emplace(std::string(text), codes_.size());
    if (is_new) symbols_.emplace_back(text);
    return static_cast<std::int64_t>(found->second);
  }
  std::shared_ptr<const Domain> take() { return make_domain("symbols", std::move(symbols_)); }

 private:
  std::vector<std::string> symbols_;
  std::unordered_map<std::string, std::size_t> codes_;
};

// The element of `elements` at the place that a node gives; the last one outside.
BoundValue pick(Index place, QType type, std::vector<std::int64_t> elements,
                std::shared_ptr<const Domain> domain, ExpressionBuilder& builder) {
  ExpressionNode node = make_node(Operation::kPick, type);
  node.arguments[0] = place;
  node.set = std::move(elements);
  node.domain = domain;
  return {builder.add(std::move(node)), type, std::move(domain)};
}

// Codes of x's domain as those of another, by text.
BoundValue recode(const BoundValue& x, std::vector<std::int64_t> codes,
                  std::shared_ptr<const Domain> domain, ExpressionBuilder& builder) {
  const ExpressionNode& node = builder[x.node];
  if (node.operation == Operation::kConstant) {
    ExpressionNode made = node;
    std::int64_t code = 0;
    std::memcpy(&code, node.constant.data(), sizeof(code));
    code = codes[static_cast<std::size_t>(code)];
    std::memcpy(made.constant.data(), &code, sizeof(code));
    made.domain = domain;
    return {builder.add(std::move(made)), x.type, std::move(domain)};
  }
  codes.push_back(static_cast<std::int64_t>(domain->null_code()));
  return pick(x.node, QType::kSymbol, std::move(codes), std::move(domain), builder);
}

std::int64_t key_of(const ExpressionNode& constant) {
  return element_order_key(constant.type, type_width(constant.type), constant.constant.data());
}

// A list's elements as order keys or codes, behind them the null.
Result<BoundValue> pick_of(const Literal& list, Index place, ExpressionBuilder& builder) {
  if (list.type == QType::kGuid || list.atoms.empty())
    return text_error(fmt::format("not supported yet: values of {}",
                                  list.atoms.empty() ? "an empty list" : "guids"),
                      list.begin);
  std::vector<std::int64_t> elements;
  if (list.type == QType::kSymbol) {
    SymbolList symbols;
    for (const Atom& atom : list.atoms)
      elements.push_back(symbols.code_of(std::get<std::string>(atom.value)));
    elements.push_back(symbols.code_of(""));
    return pick(place, QType::kSymbol, std::move(elements), symbols.take(), builder);
  }
  // Numbers of several types are of the widest.
  QType type = list.type;
  for (const Atom& atom : list.atoms) {
    if (atom.type != type && (is_floating(atom.type) || is_floating(type))) type = QType::kFloat;
    type = std::max(type, atom.type);
  }
  for (const Atom& atom : list.atoms) {
    const auto element = cast_constant(constant_node({atom.type, atom.value, 0}), type);
    if (!element)
      return text_error(
          fmt::format("'type: a list of {}s and {}s", type_name(type), type_name(atom.type)),
          atom.position);
    elements.push_back(key_of(*element));
  }
  const Atom null = is_floating(type) ? Atom{type, std::numeric_limits<double>::quiet_NaN(), 0}
                                      : Atom{type, kNullLong, 0};
  elements.push_back(type == QType::kChar ? ' ' : key_of(constant_node(null)));
  return pick(place, type, std::move(elements), nullptr, builder);
}

Error no_lookup(const Literal& list, QType type) {
  return text_error(
      fmt::format("'type: {} is looked up in a list of {}s", a_type(type), type_name(list.type)),
      list.begin);
}

bool are_comparable(QType x, QType y) {
  return family_of(x) == family_of(y) && family_of(x) != TypeFamily::kGuid &&
         family_of(x) != TypeFamily::kList;
}

// Places of x among rising keys of its own type.
BoundValue place_among(Operation operation, std::vector<std::int64_t> keys, const BoundValue& x,
                       ExpressionBuilder& builder) {
  ExpressionNode node = make_node(operation, QType::kLong);
  node.arguments[0] = x.node;
  node.set = std::move(keys);
  return {builder.add(std::move(node)), QType::kLong, {}};
}

// For each atom the least key of x's type that is not below it.
Result<std::vector<std::int64_t>> rising_keys(const Literal& list, const BoundValue& x) {
  if (x.type == QType::kSymbol || !are_comparable(list.type, x.type))
    return no_lookup(list, x.type);
  std::vector<std::int64_t> keys;
  for (const Atom& atom : list.atoms) {
    const KeyPosition at = place(x.type, atom);
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    std::int64_t key = std::numeric_limits<std::int64_t>::min();
    // Nothing is at or above what is above all.
    if (!at.below_all && !at.exact && at.floor == kMost) break;
    if (!at.below_all) key = at.exact ? at.floor : at.floor + 1;
    if (!keys.empty() && key < keys.back())
      return text_error("'s-fail: the list does not rise", list.begin);
    keys.push_back(key);
  }
  return keys;
}

}  // namespace

BoundValue symbol_constant(const std::string& text, ExpressionBuilder& builder) {
  ExpressionNode node = make_node(Operation::kConstant, QType::kSymbol);
  node.domain = make_domain("symbols", {text});
  const std::shared_ptr<const Domain> domain = node.domain;
  return {builder.add(std::move(node)), QType::kSymbol, domain};
}

void share_domain(BoundValue& x, BoundValue& y, ExpressionBuilder& builder) {
  if (x.domain == y.domain) return;
  const auto is_known = [&](const BoundValue& constant, const BoundValue& other) {
    const auto symbols = constant.domain->symbols();
    return builder.is_constant(constant.node) && other.domain->find(symbols.front()).has_value();
  };
  const auto adopt = [&](BoundValue& constant, const BoundValue& other) {
    const std::vector<std::int64_t> code = {
        static_cast<std::int64_t>(*other.domain->find(constant.domain->symbols().front())), 0};
    constant = recode(constant, code, other.domain, builder);
  };
  if (is_known(y, x)) return adopt(y, x);
  if (is_known(x, y)) return adopt(x, y);
  SymbolList symbols;
  std::vector<std::int64_t> codes[2];
  for (const auto side : {0, 1}) {
    for (const std::string_view text : (side == 0 ? x : y).domain->symbols())
      codes[side].push_back(symbols.code_of(text));
  }
  const std::shared_ptr<const Domain> domain = symbols.take();
  x = recode(x, std::move(codes[0]), domain, builder);
  y = recode(y, std::move(codes[1]), domain, builder);
}

BoundValue map_symbols(const BoundValue& x, const std::function<std::string(std::string_view)>& map,
                       ExpressionBuilder& builder) {
  SymbolList symbols;
  std::vector<std::int64_t> codes;
  for (const std::string_view text : x.domain->symbols())
    codes.push_back(symbols.code_of(map(text)));
  return recode(x, std::move(codes), symbols.take(), builder);
}

BoundValue symbol_ranks(const BoundValue& x, ExpressionBuilder& builder) {
  const auto ranks = x.domain->ranks();
  std::vector<std::int64_t> places(ranks.begin(), ranks.end());
  places.push_back(ranks[x.domain->null_code()]);
  return pick(x.node, QType::kLong, std::move(places), nullptr, builder);
}

Result<BoundValue> bind_bin(const Literal& list, const BoundValue& x, ExpressionBuilder& builder) {
  HDB_ASSIGN(std::vector<std::int64_t> keys, rising_keys(list, x));
  return place_among(Operation::kBin, std::move(keys), x, builder);
}

Result<BoundValue> bind_index(const Literal& list, const BoundValue& index,
                              ExpressionBuilder& builder) {
  if (!is_integer(index.type))
    return text_error(
        fmt::format("'type: an index is a whole number, found {}", a_type(index.type)), list.begin);
  return pick_of(list, builder.cast(index.node, QType::kLong), builder);
}

Result<BoundValue> bind_dictionary(const Literal& keys, const Literal& values, bool is_step,
                                   const BoundValue& x, ExpressionBuilder& builder) {
  if (is_step) {
    HDB_ASSIGN(const BoundValue at, bind_bin(keys, x, builder));
    return pick_of(values, at.node, builder);
  }
  if (!are_comparable(keys.type, x.type)) return no_lookup(keys, x.type);
  // Keys of x's type and where their values are; of equal ones the first.
  std::vector<std::pair<std::int64_t, std::size_t>> places;
  for (std::size_t k = 0; k < keys.atoms.size(); ++k) {
    if (x.type == QType::kSymbol) {
      const auto code = x.domain->find(std::get<std::string>(keys.atoms[k].value));
      if (code) places.emplace_back(static_cast<std::int64_t>(*code), k);
      continue;
    }
    const KeyPosition at = place(x.type, keys.atoms[k]);
    if (at.exact) places.emplace_back(at.floor, k);
  }
  std::sort(places.begin(), places.end());
  Literal in_order = values;
  in_order.atoms.clear();
  std::vector<std::int64_t> known;
  for (const auto& [key, at] : places) {
    if (!known.empty() && known.back() == key) continue;
    known.push_back(key);
    in_order.atoms.push_back(values.atoms[at]);
  }
  const BoundValue at = place_among(Operation::kPlace, std::move(known), x, builder);
  return pick_of(in_order, at.node, builder);
}

}  // namespace hdbench::queries
