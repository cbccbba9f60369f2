#include "engine/expression/evaluator.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "engine/base/check.h"
#include "engine/column/column.h"
#include "engine/kernel/like.h"
#include "engine/kernel/order_keys.h"

namespace hdbench {
namespace {

std::int64_t wide_code_at(const std::byte* codes, std::size_t i) {
  return load_element<std::int64_t>(codes + i * sizeof(std::int64_t));
}

std::string_view text_at(QType type, const std::byte* values, std::size_t i) {
  if (type == QType::kChar) return {reinterpret_cast<const char*>(values) + i, 1};
  const auto cell = load_element<NestedCell>(values + i * sizeof(NestedCell));
  return {reinterpret_cast<const char*>(cell.data), cell.count};
}

// Symbols in a cell end with a zero each.
std::int64_t items_of(const NestedCell& cell) {
  if (cell.kind != kSymbolsType) return static_cast<std::int64_t>(cell.count);
  return std::count(cell.data, cell.data + cell.count, std::byte{0});
}

// Whether a node's values are looked up, one by one.
bool looks_up(Operation operation) {
  switch (operation) {
    case Operation::kInSet:
    case Operation::kPlace:
    case Operation::kBin:
    case Operation::kPick:
    case Operation::kItemCount:
    case Operation::kLike: return true;
    default: return false;
  }
}

// Only strings match.
bool is_text(QType type, const std::byte* values, std::size_t i) {
  return type == QType::kChar || load_element<NestedCell>(values + i * sizeof(NestedCell)).kind ==
                                     static_cast<std::uint8_t>(QType::kChar);
}

bool finds_places(Operation operation) {
  return operation == Operation::kPlace || operation == Operation::kBin;
}

// A key's place in the node's set: that of an equal one, or -1; of bin that of the last one that is
// not above it.
std::int64_t place_in_set(const ExpressionNode& node, std::int64_t key) {
  const auto& set = node.set;
  if (node.operation == Operation::kBin)
    return std::upper_bound(set.begin(), set.end(), key) - set.begin() - 1;
  const auto found = std::lower_bound(set.begin(), set.end(), key);
  return found != set.end() && *found == key ? found - set.begin() : -1;
}

// What the set has at each place; beyond it what stands last.
void pick(const ExpressionNode& node, const ArithmeticStep& step) {
  const std::uint32_t width = type_width(node.type);
  for (std::size_t i = 0; i < step.count; ++i) {
    const auto at = static_cast<std::uint64_t>(wide_code_at(step.arguments[0], i));
    const std::int64_t key = at < node.set.size() ? node.set[at] : node.set.back();
    if (node.type == QType::kSymbol) {
      std::memcpy(step.out + i * width, &key, sizeof(key));
    } else {
      from_order_key(node.type, key, step.out + i * width);
    }
  }
}

}  // namespace

std::vector<std::size_t> fields_of(const Expression& expression) {
  std::vector<std::size_t> fields;
  for (const ExpressionNode& node : expression.nodes) {
    if (node.operation == Operation::kField) fields.push_back(node.field);
  }
  std::sort(fields.begin(), fields.end());
  fields.erase(std::unique(fields.begin(), fields.end()), fields.end());
  return fields;
}

bool reads_row_numbers(const Expression& expression) {
  return std::any_of(expression.nodes.begin(), expression.nodes.end(),
                     [](const auto& node) { return node.operation == Operation::kRow; });
}

Evaluator::Evaluator(const Expression& expression, const DomainOf& domain_of,
                     std::pmr::memory_resource& resource)
    : expression_(lowered(expression)), fields_(fields_of(expression)) {
  std::size_t width = 8;
  for (const ExpressionNode& node : expression_.nodes)
    width = std::max<std::size_t>(width, type_width(node.type));
  buffer_bytes_ = width * kBlockRows;
  place_nodes(domain_of);
  field_widths_.resize(fields_.size());
  std::size_t buffers = 0, steps = 0;
  for (std::size_t n = 0; n < places_.size(); ++n) {
    const Place& place = places_[n];
    if (place.kind == Place::Kind::kField)
      field_widths_[place.index] = type_width(expression_.nodes[n].type);
    if (place.kind == Place::Kind::kTemporary) ++steps;
    if (place.kind >= Place::Kind::kConstant) buffers = std::max(buffers, place.index + 1);
  }
  ahead_ = {field_widths_, kBlockRows, kBlocksAhead * kBlockRows,
            steps * (kBlockRows / kStepStrip)};
  buffers_ = Buffer(resource, buffers * buffer_bytes_);
  for (std::size_t n = 0; n < places_.size(); ++n) {
    if (places_[n].kind != Place::Kind::kConstant) continue;
    const ExpressionNode& node = expression_.nodes[n];
    std::byte* const out = buffer(places_[n].index);
    if (node.operation != Operation::kConstant) {
      run(n, {{}, nullptr, kBlockRows}, out);
      continue;
    }
    const std::size_t bytes = std::min<std::size_t>(type_width(node.type), node.constant.size());
    for (std::size_t i = 0; i < kBlockRows; ++i)
      std::memcpy(out + i * bytes, node.constant.data(), bytes);
  }
}

bool Evaluator::is_constant(const ExpressionNode& node) const {
  if (node.operation == Operation::kField || node.operation == Operation::kRow) return false;
  for (std::size_t a = 0; a < argument_count(node.operation); ++a) {
    if (places_[node.arguments[a]].kind != Place::Kind::kConstant) return false;
  }
  return true;
}

// Casts that all of their readers can make themselves, one a reader at most.
std::vector<bool> Evaluator::folded_casts() const {
  const auto& nodes = expression_.nodes;
  std::vector<bool> folded(nodes.size(), false);
  std::vector<bool> varies(nodes.size(), false);  // from row to row: all else is worked out once
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const ExpressionNode& node = nodes[n];
    varies[n] = node.operation == Operation::kField || node.operation == Operation::kRow;
    for (std::size_t a = 0; a < argument_count(node.operation); ++a)
      varies[n] = varies[n] || varies[node.arguments[a]];
    folded[n] = node.operation == Operation::kCast && varies[n] && n + 1 < nodes.size();
  }
  for (const ExpressionNode& node : nodes) {
    bool has_one = false;
    for (std::size_t a = 0; a < argument_count(node.operation); ++a) {
      const std::uint32_t argument = node.arguments[a];
      if (!folded[argument]) continue;
      const QType from = nodes[nodes[argument].arguments[0]].type;
      folded[argument] = !has_one && casts_on_the_way(node.operation, from, nodes[argument].type);
      has_one |= folded[argument];
    }
  }
  return folded;
}

// The node whose values are read for an argument.
std::uint32_t Evaluator::read_of(std::uint32_t argument) const {
  return folded_[argument] ? expression_.nodes[argument].arguments[0] : argument;
}

// Temporaries share buffers: one is free behind the last node that reads it.
void Evaluator::place_nodes(const DomainOf& domain_of) {
  const auto& nodes = expression_.nodes;
  folded_ = folded_casts();
  std::vector<std::size_t> last_reads(nodes.size(), kNone);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    for (std::size_t a = 0; a < argument_count(nodes[n].operation); ++a)
      last_reads[read_of(nodes[n].arguments[a])] = n;
  }
  std::size_t buffers = 0;
  std::vector<std::size_t> free;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const ExpressionNode& node = nodes[n];
    Place place;
    place.domain = node.domain.get();
    for (std::size_t a = 0; a < argument_count(node.operation) && place.domain == nullptr; ++a) {
      const std::uint32_t argument = node.arguments[a];
      if (nodes[argument].type == QType::kSymbol) place.domain = places_[argument].domain;
    }
    if (node.operation == Operation::kField) {
      const auto found = std::lower_bound(fields_.begin(), fields_.end(), node.field);
      place.kind = Place::Kind::kField;
      place.index = static_cast<std::size_t>(found - fields_.begin());
      if (node.type == QType::kSymbol) place.domain = domain_of(node.field);
    } else if (node.operation == Operation::kRow) {
      place.kind = Place::Kind::kRows;
    } else if (folded_[n]) {
      place.kind = Place::Kind::kFolded;
    } else {
      if (is_constant(node)) place.kind = Place::Kind::kConstant;
      if (free.empty() || place.kind == Place::Kind::kConstant) free.push_back(buffers++);
      place.index = free.back();
      free.pop_back();
    }
    if (node.operation == Operation::kLike && nodes[node.arguments[0]].type == QType::kSymbol) {
      HDB_CHECK(place.domain != nullptr, "a symbol that is matched has a domain");
      for (const std::string_view text : place.domain->symbols())
        place.likes.push_back(like(text, node.pattern) ? 1 : 0);
    }
    if (finds_places(node.operation) && type_width(nodes[node.arguments[0]].type) == 1) {
      for (std::int64_t key = 0; key <= UINT8_MAX; ++key)
        place.found.push_back(place_in_set(node, key));
    }
    places_.push_back(std::move(place));
    std::vector<std::size_t> freed;
    for (std::size_t a = 0; a < argument_count(node.operation); ++a) {
      const std::uint32_t read = read_of(node.arguments[a]);
      const Place& argument = places_[read];
      const bool is_last =
          !folded_[n] && last_reads[read] == n && argument.kind == Place::Kind::kTemporary;
      if (is_last && std::find(freed.begin(), freed.end(), argument.index) == freed.end())
        freed.push_back(argument.index);
    }
    free.insert(free.end(), freed.begin(), freed.end());
  }
}

const std::byte* Evaluator::values(std::size_t node, const Block& block) {
  const Place& place = places_[node];
  if (place.kind == Place::Kind::kField) return block.fields[place.index];
  if (place.kind == Place::Kind::kRows)
    return reinterpret_cast<const std::byte*>(block.row_numbers);
  return buffer(place.index);
}

void Evaluator::run(std::size_t n, const Block& block, std::byte* out, LinesAhead* ahead) {
  const ExpressionNode& node = expression_.nodes[n];
  ArithmeticStep step;
  step.operation = node.operation;
  step.from = step.to = node.type;
  step.count = block.count;
  step.out = out;
  step.ahead = ahead;
  for (std::size_t a = 0; a < argument_count(node.operation); ++a) {
    const std::uint32_t argument = node.arguments[a];
    step.arguments[a] = values(read_of(argument), block);
    if (folded_[argument]) {
      step.cast_argument = a;
      step.cast_from = expression_.nodes[read_of(argument)].type;
    }
    step.is_constant[a] = places_[argument].kind == Place::Kind::kConstant;
    step.from = expression_.nodes[argument].type;
  }
  const bool is_of_domain = step.from == QType::kSymbol && (node.operation == Operation::kIsNull ||
                                                            node.operation == Operation::kFill);
  if (looks_up(node.operation) || is_of_domain) return run_lookup(n, step);
  run_step(step);
}

void Evaluator::find_places(std::size_t n, const ArithmeticStep& step) const {
  const ExpressionNode& node = expression_.nodes[n];
  const std::vector<std::int64_t>& by_byte = places_[n].found;
  const std::uint32_t width = type_width(step.from);
  for (std::size_t i = 0; i < step.count; ++i) {
    const std::byte* const value = step.arguments[0] + i * width;
    const std::int64_t found = by_byte.empty()
                                   ? place_in_set(node, element_order_key(step.from, width, value))
                                   : by_byte[std::to_integer<std::size_t>(*value)];
    std::memcpy(step.out + i * sizeof(found), &found, sizeof(found));
  }
}

// What a node's set, pattern or domain tells.
void Evaluator::run_lookup(std::size_t n, const ArithmeticStep& step) const {
  const ExpressionNode& node = expression_.nodes[n];
  const Place& place = places_[n];
  const std::byte* const values = step.arguments[0];
  const std::uint32_t width = type_width(step.from);
  const auto null_code =
      static_cast<std::int64_t>(place.domain == nullptr ? UINT64_MAX : place.domain->null_code());
  if (node.operation == Operation::kPick) return pick(node, step);
  if (finds_places(node.operation)) return find_places(n, step);
  for (std::size_t i = 0; i < step.count; ++i) {
    bool is_so = false;
    if (node.operation == Operation::kItemCount) {
      const std::int64_t items =
          items_of(load_element<NestedCell>(values + i * sizeof(NestedCell)));
      std::memcpy(step.out + i * sizeof(items), &items, sizeof(items));
      continue;
    }
    if (node.operation == Operation::kFill) {
      const std::int64_t code = wide_code_at(step.arguments[1], i);
      const std::int64_t filled = code == null_code ? wide_code_at(values, i) : code;
      std::memcpy(step.out + i * sizeof(filled), &filled, sizeof(filled));
      continue;
    }
    if (node.operation == Operation::kIsNull) {
      is_so = wide_code_at(values, i) == null_code;
    } else if (node.operation == Operation::kInSet) {
      is_so = std::binary_search(node.set.begin(), node.set.end(),
                                 element_order_key(step.from, width, values + i * width));
    } else if (step.from == QType::kSymbol) {
      is_so = place.likes[static_cast<std::size_t>(wide_code_at(values, i))] != 0;
    } else {
      is_so = is_text(step.from, values, i) && like(text_at(step.from, values, i), node.pattern);
    }
    step.out[i] = std::byte{is_so};
  }
}

void Evaluator::evaluate(const Block& block, std::byte* out) {
  HDB_DCHECK(block.count <= kBlockRows, "a block of the rows that there is space for");
  const std::size_t root = expression_.nodes.size() - 1;
  const bool asks = block.goes_on && block.count == kBlockRows;
  LinesAhead* const ahead = asks ? &ahead_ : nullptr;
  if (asks) ahead_.begin(block.fields);
  for (std::size_t n = 0; n < root; ++n) {
    if (places_[n].kind == Place::Kind::kTemporary) run(n, block, buffer(places_[n].index), ahead);
  }
  const QType type = expression_.nodes[root].type;
  if (places_[root].kind == Place::Kind::kTemporary) {
    run(root, block, out, ahead);
  } else {
    std::memcpy(out, values(root, block), block.count * type_width(type));
  }
  // Which null an operation gives may depend on its place in the block.
  if (makes_nulls_one_ && is_floating(type) && places_[root].kind != Place::Kind::kField)
    make_nulls_one(type, block.count, out);
}

}  // namespace hdbench
