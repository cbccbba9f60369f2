// The study's own figures, compared with this run's.
//
// Its row counts do not follow from the queries as it prints them; they do if a date range is read
// as its two end dates (docs/paper.md). Both readings are shown.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/report/views/report_pivot.h"

namespace hdbench::bench {

constexpr std::uint64_t kPublishedRows = 191'113'021;
constexpr std::uint64_t kPublishedLargeRows = 2'163'100'445;

enum class Reading : std::uint8_t { kPrinted, kCounted, kBoth };  // both: the text is the same

// The reading that this query's text is of; nothing: neither.
std::optional<Reading> reading_of(const ReportQuery& query);

// Whether any query is one of the eleven, in either reading.
bool has_study_queries(const ReportPivot& pivot);

// Whether the row counts are the study's, a sentence a dataset of its shape that any of the eleven
// was run over: at scale 1 the counts that differ are named.
std::vector<std::string> count_sentences(const ReportPivot& pivot);

// What, the study's time and the one here.
std::vector<std::array<std::string, 3>> compare_times(const ReportPivot& pivot);

}  // namespace hdbench::bench
