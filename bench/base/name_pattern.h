// Chooses names by a regular expression (POSIX extended, as grep -E has it).
#pragma once

#include <regex.h>

#include <memory>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace hdbench {

class NamePattern {
 public:
  // Found in every name.
  NamePattern() = default;

  // The empty text is found in every name. Errors: kUsage, which names the flag and says what is
  // wrong with the expression.
  static Result<NamePattern> make(std::string_view flag, const std::string& text);

  bool found_in(const std::string& name) const;
  bool is_everywhere() const { return expression_ == nullptr; }

 private:
  std::shared_ptr<const regex_t> expression_;
};

}  // namespace hdbench
