// The names of a run's blocks and columns in printed tables.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bench/report/views/run_pivot.h"

namespace hdbench {

inline constexpr std::size_t kTableWidth = 120;

// The text in at most `width` bytes; `mark` stands where it was cut: before the options of a
// profile
// ("opt..+near=2GiB"), by which columns of one profile differ, else at the end.
std::string cut_to(const std::string& text, std::size_t width, std::string_view mark);

// "2 threads".
std::string threads_text(std::size_t threads);

// "nvme cold"; an emulated medium ends in '*'.
std::string column_title(const PivotColumn& column);

// The part after the medium's name ("optane-100-6dimm", "near=2GiB", a file's stem), cut to the
// width; empty if there is none.
std::string column_argument(const PivotColumn& column, std::size_t width);

// "attr none, mode 4.0, 2 threads, -w 512 MiB".
std::string block_title(const PivotBlock& block);
// As block_title(), without the threads.
std::string block_title_of_all_threads(const PivotBlock& block);

// The text without blanks at its end, and a newline.
std::string line_of(std::string text);

}  // namespace hdbench
