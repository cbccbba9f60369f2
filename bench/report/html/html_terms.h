// The page's words: what they mean, as hovering shows it, and a medium's label cut into chips.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/report/views/report_pivot.h"

namespace hdbench::bench {

// Of docs/glossary.md: "cold, warm" and its meaning, in its order.
const std::vector<std::pair<std::string, std::string>>& glossary_terms();

// The meaning of one of its words, in any case; empty where it has none.
std::string meaning_of(std::string_view word);

// "nvme", "dram", "pmem", "cxl": the family of a medium, which has one colour.
std::string_view tier_family(std::string_view medium);

// The parts of the column's label: "App Direct", "optane-100-6dimm", "flat"; then "emulated".
std::vector<std::string> chips_of(const ReportColumn& column);

// As HTML, each with its meaning on hover, the first in its family's colour.
std::string html_chips(const ReportColumn& column);

// The word, with its meaning on hover and on focus; as it is where it has none.
std::string html_term(const std::string& word);

// The words of the glossary, folded.
std::string html_words();

}  // namespace hdbench::bench
