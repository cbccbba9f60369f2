// Tests on symbols, asked of the domain once so that no row need look at text.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "engine/column/domain.h"
#include "engine/operator/plan.h"

namespace hdbench {

// The codes whose text passes. Without a domain (a column that no partition has symbols for): none.
CodeTest codes_where(const Domain* domain, const std::function<bool(std::string_view)>& passes);

// The codes whose text is one of `texts`; a text that the domain lacks adds nothing.
CodeTest codes_in(const Domain* domain, std::span<const std::string_view> texts);

}  // namespace hdbench
