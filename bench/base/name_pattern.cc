#include "bench/base/name_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <new>

namespace hdbench::bench {
namespace {

// The C library writes repetitions out, and recurses into parentheses.
constexpr std::size_t kBytesMax = 4096;
constexpr double kExpandedMax = 1e4;

// The bytes of an expression with its repetitions written out, which multiply where one is within
// another: `{n,m}` is m times what it is behind, and `+` twice. A `+` right behind another
// repetition doubles the places that lead to each place, too.
double expanded_bytes(std::string_view expression) {
  auto bytes = static_cast<double>(expression.size());
  for (std::size_t at = 0; at < expression.size(); ++at) {
    const char before = at == 0 ? '\0' : expression[at - 1];
    const bool is_plus = expression[at] == '+';
    if (is_plus && before == ')') bytes *= 2;
    if (is_plus && (before == '+' || before == '*' || before == '?' || before == '}')) bytes *= 4;
    if (expression[at] != '{') continue;
    double times = 1;
    while (at + 1 < expression.size() && expression[at + 1] != '}') {
      ++at;
      unsigned number = 0;
      const char* const end = expression.data() + expression.size();
      const auto [stop, error] = std::from_chars(expression.data() + at, end, number);
      if (error != std::errc()) continue;
      times = std::max(times, static_cast<double>(number));
      at = static_cast<std::size_t>(stop - expression.data()) - 1;
    }
    bytes *= times;
  }
  return bytes;
}

}  // namespace

Result<NamePattern> NamePattern::make(std::string_view flag, const std::string& text) {
  NamePattern pattern;
  if (text.empty()) return pattern;
  pattern.leaves_out_ = text.front() == '-';
  const char* const expression = text.c_str() + (pattern.leaves_out_ ? 1 : 0);
  if (text.size() > kBytesMax || expanded_bytes(expression) > kExpandedMax) {
    return usage_error(fmt::format(
        "{}: a regular expression of {} bytes, expected {} at most, and {} with repetitions {{n}} "
        "written out",
        flag, text.size(), kBytesMax, kExpandedMax));
  }
  auto compiled = std::make_unique<regex_t>();
  if (const int error = regcomp(compiled.get(), expression, REG_EXTENDED | REG_NOSUB)) {
    if (error == REG_ESPACE) throw std::bad_alloc();
    std::string reason(regerror(error, compiled.get(), nullptr, 0), '\0');
    regerror(error, compiled.get(), reason.data(), reason.size());
    reason.pop_back();
    return usage_error(fmt::format("{}: '{}' is no regular expression: {}", flag, text, reason));
  }
  pattern.expression_ = {compiled.release(), [](regex_t* used) {
                           regfree(used);
                           delete used;
                         }};
  return pattern;
}

bool NamePattern::chooses(const std::string& name) const {
  if (chooses_all()) return true;
  const int found = regexec(expression_.get(), name.c_str(), 0, nullptr, 0);
  if (found == REG_ESPACE) throw std::bad_alloc();
  return (found != 0) == leaves_out_;
}

}  // namespace hdbench::bench
