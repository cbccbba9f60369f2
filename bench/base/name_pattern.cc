#include "bench/base/name_pattern.h"

#include <fmt/format.h>

namespace hdbench {

Result<NamePattern> NamePattern::make(std::string_view flag, const std::string& text) {
  NamePattern pattern;
  if (text.empty()) return pattern;
  pattern.leaves_out_ = text.front() == '-';
  const char* const expression = text.c_str() + (pattern.leaves_out_ ? 1 : 0);
  auto compiled = std::make_unique<regex_t>();
  if (const int error = regcomp(compiled.get(), expression, REG_EXTENDED | REG_NOSUB)) {
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
  return (regexec(expression_.get(), name.c_str(), 0, nullptr, 0) != 0) == leaves_out_;
}

}  // namespace hdbench
