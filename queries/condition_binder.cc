#include "queries/condition_binder.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "engine/kernel/like.h"
#include "queries/column_lookup.h"
#include "queries/key_position.h"
#include "queries/symbol_codes.h"
#include "queries/type_family.h"
#include "queries/type_text.h"
namespace hdbench {
namespace {

std::string_view comparison_text(Comparison comparison) {
  switch (comparison) {
    case Comparison::kEqual: return "=";
    case Comparison::kNotEqual: return "<>";
    case Comparison::kLess: return "<";
    case Comparison::kLessEqual: return "<=";
    case Comparison::kGreater: return ">";
    case Comparison::kGreaterEqual: return ">=";
    case Comparison::kWithin: return "within";
    case Comparison::kIn: return "in";
    case Comparison::kLike: return "like";
  }
  return "";
}

Error type_error(const Field& field, QType value, std::size_t position) {
  std::string message = fmt::format("'type: column {} is {}, the value is {}", field.name,
                                    a_type(field.type), a_type(value));
  if (field.type == QType::kSymbol && value == QType::kChar) {
    message += " (a symbol is written `abc)";
  }
  return text_error(std::move(message), position);
}

// The value's types against the column's, atom by atom.
Status check_types(const ParsedCondition& parsed, const Field& field) {
  const TypeFamily family = family_of(field.type);
  if (family == TypeFamily::kList) {
    return text_error(
        fmt::format("'type: column {} is a list, which only like can test", field.name),
        parsed.comparison_position);
  }
  if (parsed.value.atoms.empty() && family_of(parsed.value.type) != family) {
    return type_error(field, parsed.value.type, parsed.value.begin);
  }
  for (const Atom& atom : parsed.value.atoms) {
    if (family_of(atom.type) != family) return type_error(field, atom.type, atom.position);
  }
  const bool is_equality = parsed.comparison == Comparison::kEqual ||
                           parsed.comparison == Comparison::kNotEqual ||
                           parsed.comparison == Comparison::kIn;
  if (family == TypeFamily::kGuid && !is_equality) {
    return text_error(
        fmt::format("'type: column {} is a guid, which only = <> and in can test", field.name),
        parsed.comparison_position);
  }
  return ok_status();
}

// How many values the comparison takes.
Status check_count(const ParsedCondition& parsed) {
  const Literal& value = parsed.value;
  if (parsed.comparison == Comparison::kIn) return ok_status();
  const std::string_view comparison = comparison_text(parsed.comparison);
  if (parsed.comparison == Comparison::kWithin) {
    if (value.is_list && value.atoms.size() == 2) return ok_status();
    return text_error(fmt::format("'length: within takes two values, the low and the high end; "
                                  "found {}",
                                  value.atoms.size()),
                      value.begin);
  }
  if (!value.is_list) return ok_status();
  return text_error(fmt::format("'length: {} takes one value, found a list of {} (in takes a list)",
                                comparison, value.atoms.size()),
                    value.begin);
}

RangeTest bind_range(const ParsedCondition& parsed, QType column) {
  const std::vector<Atom>& atoms = parsed.value.atoms;
  const KeyPosition first = place(column, atoms.front());
  switch (parsed.comparison) {
    case Comparison::kLess: return less_range(column, first);
    case Comparison::kLessEqual: return less_equal_range(column, first);
    case Comparison::kGreater: return greater_range(column, first);
    case Comparison::kGreaterEqual: return greater_equal_range(column, first);
    case Comparison::kWithin: return within_range(column, first, place(column, atoms.back()));
    default: return equal_range(first);
  }
}

Test bind_in(const std::vector<Atom>& atoms, QType column) {
  SetTest set;
  for (const Atom& atom : atoms) {
    const KeyPosition position = place(column, atom);
    if (position.exact) set.keys.push_back(position.floor);
  }
  std::sort(set.keys.begin(), set.keys.end());
  set.keys.erase(std::unique(set.keys.begin(), set.keys.end()), set.keys.end());
  if (set.keys.empty()) return kEmptyRange;
  if (set.keys.size() == 1) return RangeTest{set.keys.front(), set.keys.front()};
  return set;
}

GuidTest bind_guids(const std::vector<Atom>& atoms) {
  GuidTest test;
  for (const Atom& atom : atoms) test.values.push_back(std::get<Guid>(atom.value));
  std::sort(test.values.begin(), test.values.end());
  test.values.erase(std::unique(test.values.begin(), test.values.end()), test.values.end());
  return test;
}

Test bind_symbols(const ParsedCondition& parsed, const Domain* domain) {
  std::vector<std::string_view> texts;
  for (const Atom& atom : parsed.value.atoms) texts.push_back(std::get<std::string>(atom.value));
  const auto compare_with_first = [&](auto&& passes) {
    return codes_where(domain, [&](std::string_view text) { return passes(text, texts.front()); });
  };
  switch (parsed.comparison) {
    case Comparison::kLess: return compare_with_first(std::less<>());
    case Comparison::kLessEqual: return compare_with_first(std::less_equal<>());
    case Comparison::kGreater: return compare_with_first(std::greater<>());
    case Comparison::kGreaterEqual: return compare_with_first(std::greater_equal<>());
    case Comparison::kWithin:
      return codes_where(domain, [&](std::string_view text) {
        return texts.front() <= text && text <= texts.back();
      });
    default: return codes_in(domain, texts);
  }
}

Result<Test> bind_like(const ParsedCondition& parsed, const Field& field) {
  const bool is_text =
      field.type == QType::kSymbol || field.type == QType::kChar || field.type == QType::kNested;
  if (!is_text) {
    return text_error(fmt::format("'type: like needs symbols, strings or chars, column {} is {}",
                                  field.name, a_type(field.type)),
                      parsed.comparison_position);
  }
  if (parsed.value.type != QType::kChar) {
    return text_error(fmt::format("'type: like takes a pattern such as \"a*\", the value is {}",
                                  a_type(parsed.value.type)),
                      parsed.value.begin);
  }
  std::string pattern;
  for (const Atom& atom : parsed.value.atoms) {
    pattern += static_cast<char>(std::get<std::int64_t>(atom.value));
  }
  if (!is_like_pattern(pattern)) {
    return text_error("the pattern has a [ without its ]", parsed.value.begin);
  }
  if (field.type != QType::kSymbol) return Test(LikeTest{std::move(pattern)});
  return Test(
      codes_where(field.domain.get(), [&](std::string_view text) { return like(text, pattern); }));
}

}  // namespace

Result<Condition> bind_condition(const ParsedCondition& parsed, std::string_view text,
                                 const Table& table, Unreadable unreadable) {
  Condition condition;
  HDB_ASSIGN(condition.field, find_column(table, parsed.column, unreadable));
  condition.text = std::string(text.substr(parsed.begin, parsed.end - parsed.begin));
  condition.negated = parsed.negated != (parsed.comparison == Comparison::kNotEqual);
  const Field& field = table.schema().fields[condition.field];
  if (field.unreadable) return condition;
  if (parsed.comparison == Comparison::kLike) {
    HDB_ASSIGN(condition.test, bind_like(parsed, field));
    return condition;
  }
  HDB_TRY(check_types(parsed, field));
  HDB_TRY(check_count(parsed));
  switch (family_of(field.type)) {
    case TypeFamily::kSymbol: condition.test = bind_symbols(parsed, field.domain.get()); break;
    case TypeFamily::kGuid: condition.test = bind_guids(parsed.value.atoms); break;
    default:
      if (parsed.comparison == Comparison::kIn) {
        condition.test = bind_in(parsed.value.atoms, field.type);
      } else {
        condition.test = bind_range(parsed, field.type);
      }
  }
  return condition;
}

}  // namespace hdbench
