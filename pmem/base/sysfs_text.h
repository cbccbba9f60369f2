// Reads small files of sysfs and procfs as words, numbers and lists. Missing or malformed content
// reads as nothing, as containers and older kernels show less.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hdbench::pmem {

// Without the spaces at its ends; empty where there is none.
std::string first_line(const std::filesystem::path& file);

// The whole first line as a figure: decimal (perhaps negative) or, behind 0x, hexadecimal.
std::optional<std::uint64_t> read_figure(const std::filesystem::path& file);
std::optional<int> read_int(const std::filesystem::path& file);

// The directories `prefix`N below a parent, by rising N.
std::vector<std::pair<int, std::filesystem::path>> numbered(const std::filesystem::path& parent,
                                                            std::string_view prefix);

// The names below a directory that start with `prefix`, in order.
std::vector<std::string> names_below(const std::filesystem::path& directory,
                                     std::string_view prefix = {});

// "0-3,8" -> 0 1 2 3 8. What cannot be read ends the list; so does a range of over 65536.
std::vector<int> parse_list(std::string_view text);

// "always [madvise] never" -> "madvise"; without brackets nothing.
std::string chosen_word(std::string_view line);

// Where a link leads, its last name only; empty: no link.
std::string link_name(const std::filesystem::path& link);

}  // namespace hdbench::pmem
