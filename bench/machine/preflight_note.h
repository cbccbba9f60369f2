// An observation, before the first cell or while cells ran, that may make figures incomparable.
#pragma once

#include <string>

namespace hdbench {

struct PreflightNote {
  std::string name;  // "load", "huge-pages", "frequency", ... stable, for programs
  std::string text;  // one line: what was seen, and what to do
};

}  // namespace hdbench
