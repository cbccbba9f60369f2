#include "queries/literal/literal_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>

#include "engine/kernel/like.h"
#include "queries/expression/expression_types.h"
#include "queries/literal/key_position.h"
#include "queries/types.h"
namespace hdbench::queries {
namespace {

constexpr std::array<std::string_view, 9> kComparisons = {"=",  "<>",     "<",  "<=",  ">",
                                                          ">=", "within", "in", "like"};

Error type_error(const TestSubject& subject, QType value, std::size_t position) {
  std::string message = fmt::format("'type: {} is {}, the value is {}", subject.text,
                                    a_type(subject.type), a_type(value));
  if (subject.type == QType::kSymbol && value == QType::kChar) {
    message += " (a symbol is written `abc)";
  }
  return text_error(std::move(message), position);
}

// Types of one family, an integer beside an integral temporal, and a time beside a timestamp.
bool is_comparable(QType subject, QType value) {
  if (family_of(subject) == family_of(value)) return true;
  if (is_integer(value)) return is_span(subject) || is_instant(subject);
  if (is_integer(subject)) return comparable_type(subject, value).has_value();
  return is_span(subject) && value == QType::kTimestamp;
}

// The atom as the subject's type compares it: a timestamp beside a time is the time of its day, a
// temporal beside a number its number.
Atom comparable_atom(QType subject, Atom atom) {
  if (is_a_number(subject) && !is_a_number(atom.type)) atom.type = QType::kLong;
  if (!is_span(subject) || atom.type != QType::kTimestamp) return atom;
  atom.type = QType::kTimespan;
  auto& value = std::get<std::int64_t>(atom.value);
  if (is_null(atom) || value == kInfinity || value == -kInfinity) return atom;
  const std::int64_t ns = (value % kNsPerDay + kNsPerDay) % kNsPerDay;
  value = ns - ns % span_unit_ns(subject);
  return atom;
}

// The value's types against the column's, atom by atom.
Status check_types(const LiteralComparison& parsed, const TestSubject& subject) {
  const TypeFamily family = family_of(subject.type);
  const auto fits = [&](QType type) { return is_comparable(subject.type, type); };
  if (family == TypeFamily::kList) {
    return text_error(fmt::format("'type: {} is a list, which only like can test", subject.text),
                      parsed.position);
  }
  if (parsed.value.atoms.empty() && !fits(parsed.value.type)) {
    return type_error(subject, parsed.value.type, parsed.value.begin);
  }
  for (const Atom& atom : parsed.value.atoms) {
    if (!fits(atom.type)) return type_error(subject, atom.type, atom.position);
  }
  const bool is_equality = parsed.comparison == Comparison::kEqual ||
                           parsed.comparison == Comparison::kNotEqual ||
                           parsed.comparison == Comparison::kIn;
  if (family == TypeFamily::kGuid && !is_equality) {
    return text_error(
        fmt::format("'type: {} is a guid, which only = <> and in can test", subject.text),
        parsed.position);
  }
  return ok_status();
}

// How many values the comparison takes.
Status check_count(const LiteralComparison& parsed) {
  const Literal& value = parsed.value;
  if (parsed.comparison == Comparison::kIn) return ok_status();
  const std::string_view comparison = kComparisons[static_cast<std::size_t>(parsed.comparison)];
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

// The codes whose text passes, tested once a symbol, so that rows compare codes. No code passes
// without a domain (no partition has symbols).
CodeTest codes_where(const Domain* domain, const std::function<bool(std::string_view)>& passes) {
  CodeTest test;
  if (domain == nullptr) return test;
  test.member.resize(domain->size(), 0);
  for (std::size_t code = 0; code < domain->size(); ++code) {
    if (!passes(domain->text(code))) continue;
    test.member[code] = 1;
    test.codes.push_back(code);
  }
  return test;
}

// The codes whose text is one of `texts`; a text that the domain lacks adds nothing.
CodeTest codes_in(const Domain* domain, std::span<const std::string_view> texts) {
  const std::unordered_set<std::string_view> wanted(texts.begin(), texts.end());
  return codes_where(domain, [&](std::string_view text) { return wanted.contains(text); });
}

Test bind_symbols(const LiteralComparison& parsed, const Domain* domain) {
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

Result<Test> bind_like(const LiteralComparison& parsed, const TestSubject& subject) {
  const bool is_text = subject.type == QType::kSymbol || subject.type == QType::kChar ||
                       subject.type == QType::kNested;
  if (!is_text) {
    return text_error(fmt::format("'type: like needs symbols, strings or chars, {} is {}",
                                  subject.text, a_type(subject.type)),
                      parsed.position);
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
  if (subject.type != QType::kSymbol) return Test(LikeTest{std::move(pattern)});
  return Test(
      codes_where(subject.domain, [&](std::string_view text) { return like(text, pattern); }));
}

}  // namespace

std::optional<Comparison> comparison_of(std::string_view name) {
  const auto* const found = std::find(kComparisons.begin(), kComparisons.end(), name);
  if (found == kComparisons.end()) return std::nullopt;
  return static_cast<Comparison>(found - kComparisons.begin());
}

std::optional<Comparison> flipped(Comparison comparison) {
  switch (comparison) {
    case Comparison::kLess: return Comparison::kGreater;
    case Comparison::kLessEqual: return Comparison::kGreaterEqual;
    case Comparison::kGreater: return Comparison::kLess;
    case Comparison::kGreaterEqual: return Comparison::kLessEqual;
    case Comparison::kEqual:
    case Comparison::kNotEqual: return comparison;
    default: return std::nullopt;
  }
}

Result<Test> bind_literal_test(const TestSubject& subject, LiteralComparison parsed) {
  if (parsed.comparison == Comparison::kLike) return bind_like(parsed, subject);
  HDB_TRY(check_types(parsed, subject));
  HDB_TRY(check_count(parsed));
  for (Atom& atom : parsed.value.atoms) {
    atom = comparable_atom(subject.type, std::move(atom));
  }
  switch (family_of(subject.type)) {
    case TypeFamily::kSymbol: return Test(bind_symbols(parsed, subject.domain));
    case TypeFamily::kGuid: return Test(bind_guids(parsed.value.atoms));
    default: break;
  }
  if (parsed.comparison == Comparison::kIn) return bind_in(parsed.value.atoms, subject.type);
  const std::vector<Atom>& atoms = parsed.value.atoms;
  return Test(range_of(parsed.comparison, subject.type, place(subject.type, atoms.front()),
                       place(subject.type, atoms.back())));
}

}  // namespace hdbench::queries
