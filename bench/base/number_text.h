// Formats numbers for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hdbench::bench {

// "0.123", "12.34", "1234.5", "123,456".
std::string format_ms(double ms);

// "0.85x", "12.3x", "194x".
std::string format_ratio(double ratio);

// "191,113,021".
std::string with_commas(std::uint64_t number);

// "1 table", "1,062 tables".
std::string counted(std::uint64_t count, std::string_view noun);

// "812 B", "4.1 MB", "1.5 GB": decimal, as devices are sold.
std::string bytes_text(std::uint64_t bytes);

}  // namespace hdbench::bench
