#include "bench/base/name_pattern.h"

#include <fmt/format.h>

namespace hdbench {

Result<NamePattern> NamePattern::make(std::string_view flag, const std::string& text) {
  NamePattern pattern;
  if (text.empty()) return pattern;
  auto compiled = std::make_unique<regex_t>();
  if (const int error = regcomp(compiled.get(), text.c_str(), REG_EXTENDED | REG_NOSUB)) {
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

bool NamePattern::found_in(const std::string& name) const {
  return is_everywhere() || regexec(expression_.get(), name.c_str(), 0, nullptr, 0) == 0;
}

}  // namespace hdbench
