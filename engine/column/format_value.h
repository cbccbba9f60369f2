// Values as q prints them in `csv 0:` text: dates 2020-01-07, timestamps
// 2015-01-07D00:00:04.438224000, symbols bare, floats shortest round-trip, nulls empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "engine/column/domain.h"
#include "engine/column/type.h"

namespace hdbench {

// Appends the element at `element` (width bytes, as in a result column) to `out`. A symbol needs
// its domain.
void append_value(std::string& out, QType type, std::uint32_t width, const std::byte* element,
                  const Domain* domain);

// As q's console has it: dates 2020.01.07, and of a float seven digits or all.
enum class Digits { kAll, kSeven };
void append_shown(std::string& out, QType type, std::uint32_t width, const std::byte* element,
                  const Domain* domain, Digits digits);

// A partition's directory name: date 2020.01.07, month 2020.01, year and int their digits.
std::string partition_name(QType type, std::int64_t value);

}  // namespace hdbench
