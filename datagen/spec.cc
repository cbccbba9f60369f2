#include "datagen/spec.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "datagen/layout.h"

namespace hdbench::datagen {
namespace {

constexpr std::array<std::string_view, 3> kProfileNames = {"paper", "paper-3y", "taq"};
constexpr std::string_view kTaqParted = "sym";

Status validate_taq(const Spec& spec) {
  if (spec.synthetic) return usage_error("synthetic: not for profile taq");
  if (spec.columns != kColumnsUsual) {
    return usage_error("columns: not for profile taq, whose tables have the columns of TAQ");
  }
  if (!spec.parted.empty() && spec.parted != kTaqParted) {
    return usage_error(fmt::format("parted {}: profile taq is always parted by sym", spec.parted));
  }
  return ok_status();
}

Status validate_parted(const Spec& spec) {
  if (spec.parted.empty()) return ok_status();
  const TablePlan table = table_plans(spec).front();
  std::string symbols;
  for (const ColumnPlan& column : table.columns) {
    if (column.type != QType::kSymbol) continue;
    if (column.name == spec.parted) return ok_status();
    symbols += " " + column.name;
  }
  if (symbols.empty()) symbols = " none";
  return usage_error(
      fmt::format("parted {}: not a symbol column of {} with {} columns; those are:{}", spec.parted,
                  table.name, spec.columns, symbols));
}

}  // namespace

std::string parted_column(const Spec& spec) {
  return spec.profile == Profile::kTaq ? std::string(kTaqParted) : spec.parted;
}

std::string_view profile_name(Profile profile) {
  return kProfileNames[static_cast<std::size_t>(profile)];
}

Result<Profile> parse_profile(std::string_view name) {
  for (std::size_t i = 0; i < kProfileNames.size(); ++i) {
    if (kProfileNames[i] == name) return static_cast<Profile>(i);
  }
  return usage_error(
      fmt::format("profile {}: unknown; one of {}", name, fmt::join(kProfileNames, ", ")));
}

Status validate(const Spec& spec) {
  if (!(spec.scale > 0.0 && spec.scale <= kScaleMax)) {
    return usage_error(
        fmt::format("scale {}: must be above 0 and at most {}", spec.scale, kScaleMax));
  }
  if (spec.profile == Profile::kTaq) return validate_taq(spec);
  if (spec.columns < kColumnsMin || spec.columns > kColumnsMax) {
    return usage_error(
        fmt::format("columns {}: must be from {} to {}", spec.columns, kColumnsMin, kColumnsMax));
  }
  if (spec.synthetic && spec.compression.algorithm == 0) {
    return usage_error(
        "synthetic: its rows repeat to be compressed: compress none, expected gzip, "
        "snappy, lz4 or zstd");
  }
  return validate_parted(spec);
}

}  // namespace hdbench::datagen
