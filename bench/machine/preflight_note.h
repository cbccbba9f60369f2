// An observation, before the first cell or while cells ran, that may make figures incomparable.
#pragma once

#include <optional>
#include <string>

namespace hdbench::bench {

struct PreflightNote {
  std::string name;  // "load", "huge-pages", "frequency", ... stable, for programs
  std::string text;  // one line: what was seen, a colon, what it means and what to do
  // Of notes about load: the share of the CPUs that others took, in per cent.
  std::optional<double> percent = {};

  // What was seen, for a line of a terminal.
  std::string seen() const { return text.substr(0, text.find(": ")); }
};

}  // namespace hdbench::bench
