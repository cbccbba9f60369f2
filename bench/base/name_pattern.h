// Chooses names by a regular expression (POSIX extended, as grep -E has it), which is looked for
// anywhere in a name. After a leading '-' it chooses all other names, as Google Benchmark's filter
// does.
#pragma once

#include <regex.h>

#include <memory>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace hdbench::bench {

class NamePattern {
 public:
  // Chooses every name.
  NamePattern() = default;

  // The empty text chooses every name. Errors: kUsage, which names the flag and says what is wrong
  // with the expression.
  static Result<NamePattern> make(std::string_view flag, const std::string& text);

  // Throws std::bad_alloc.
  bool chooses(const std::string& name) const;
  bool chooses_all() const { return expression_ == nullptr; }

 private:
  std::shared_ptr<const regex_t> expression_;
  bool leaves_out_ = false;
};

}  // namespace hdbench::bench
