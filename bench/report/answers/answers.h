// The report's answers in words: computed from the cells, with figures and intervals, or "cannot be
// said" if the cells do not suffice.
//
// They use one block, the pivot's primary one, unless they name another. All text is plain.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/report/views/report_pivot.h"

namespace hdbench::bench {

struct Answer {
  std::string question;
  std::string summary;                 // in a sentence
  std::vector<std::string> sentences;  // what it rests on

  Answer with(std::string words) const { return {question, std::move(words), sentences}; }
};

// The study's desired outcomes (1): at least 60 % less time than on NVMe; (2): what takes over two
// minutes there, within 40 seconds in memory.
constexpr double kOutcomeGain = 2.5;
constexpr double kOutcomeLongMs = 120'000;
constexpr double kOutcomeShortMs = 40'000;

Answer tier_answer(const ReportPivot& pivot);
Answer column_answer(const ReportPivot& pivot);
Answer gain_answer(const ReportPivot& pivot);
Answer less_time_answer(const ReportPivot& pivot);
Answer two_minutes_answer(const ReportPivot& pivot);
Answer thread_answer(const ReportPivot& pivot);
Answer limit_answer(const ReportPivot& pivot);
// Only where compressed columns were unpacked in a query's time.
std::optional<Answer> compression_answer(const ReportPivot& pivot);
Answer trust_answer(const ReportPivot& pivot);

// All of them, in the order above; of other queries than the study's without its outcomes.
inline std::vector<Answer> answers(const ReportPivot& pivot, bool with_outcomes) {
  std::vector<Answer> all{tier_answer(pivot), column_answer(pivot), gain_answer(pivot)};
  if (with_outcomes) {
    all.push_back(less_time_answer(pivot));
    all.push_back(two_minutes_answer(pivot));
  }
  all.push_back(thread_answer(pivot));
  if (auto compression = compression_answer(pivot)) all.push_back(std::move(*compression));
  all.push_back(limit_answer(pivot));
  all.push_back(trust_answer(pivot));
  return all;
}

// "1.5 GB in DRAM and 0.3 GB in CXL (bid, ask)": where what the queries read of the columns lies.
// Empty where the sizes are not known.
std::string holdings_text(const ReportPivot& pivot, std::size_t column);

}  // namespace hdbench::bench
