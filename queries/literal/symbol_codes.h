// Evaluates tests on symbols once per symbol of the domain, so that rows compare codes, not text.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "engine/column/domain.h"
#include "engine/operator/plan.h"

namespace hdbench::queries {

// The codes whose text passes. No code passes without a domain (no partition has symbols).
CodeTest codes_where(const Domain* domain, const std::function<bool(std::string_view)>& passes);

// The codes whose text is one of `texts`; a text that the domain lacks adds nothing.
CodeTest codes_in(const Domain* domain, std::span<const std::string_view> texts);

}  // namespace hdbench::queries
