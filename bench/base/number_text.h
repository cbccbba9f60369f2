// Formats numbers for people.
#pragma once

#include <cstdint>
#include <string>

namespace hdbench {

// "0.123", "12.34", "1234.5", "123,456".
std::string format_ms(double ms);

// "0.85x", "12.3x", "194x".
std::string format_ratio(double ratio);

// "191,113,021".
std::string with_commas(std::uint64_t number);

}  // namespace hdbench
