// An observation, before the first cell or while cells ran, that may make figures incomparable.
#pragma once

#include <optional>
#include <string>

namespace hdbench::bench {

struct PreflightNote {
  std::string name;  // "load", "huge-pages", "frequency", ... stable, for programs
  std::string text;  // one line: what was seen, and what to do
  // What was seen, for a line of a terminal; empty: the text. Not kept in results.json.
  std::string brief = {};
  // Of notes about load: the share of the CPUs that others took, in per cent.
  std::optional<double> percent = {};
};

}  // namespace hdbench::bench
