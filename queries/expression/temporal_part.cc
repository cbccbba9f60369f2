#include "queries/expression/temporal_part.h"

#include <algorithm>
#include <array>

#include "queries/expression/expression_types.h"

namespace hdbench::queries {
namespace {

struct PartWord {
  std::string_view name;
  Operation operation;
  QType type;
  bool of_instants;
  bool of_spans;  // and of the time of an instant's day, where it has one
};

// mm is the month of an instant and the minute of a span, as in q.
constexpr std::array kPartWords = {
    PartWord{"date", Operation::kCast, QType::kDate, true, false},
    PartWord{"month", Operation::kCast, QType::kMonth, true, false},
    PartWord{"timestamp", Operation::kCast, QType::kTimestamp, true, false},
    PartWord{"datetime", Operation::kCast, QType::kDatetime, true, false},
    PartWord{"minute", Operation::kCast, QType::kMinute, false, true},
    PartWord{"second", Operation::kCast, QType::kSecond, false, true},
    PartWord{"time", Operation::kCast, QType::kTime, false, true},
    PartWord{"timespan", Operation::kCast, QType::kTimespan, false, true},
    PartWord{"year", Operation::kYear, QType::kInt, true, false},
    PartWord{"mm", Operation::kMonthOfYear, QType::kInt, true, false},
    PartWord{"dd", Operation::kDayOfMonth, QType::kInt, true, false},
    PartWord{"hh", Operation::kHour, QType::kInt, false, true},
    PartWord{"uu", Operation::kMinuteOfHour, QType::kInt, false, true},
    PartWord{"mm", Operation::kMinuteOfHour, QType::kInt, false, true},
    PartWord{"ss", Operation::kSecondOfMinute, QType::kInt, false, true},
};

}  // namespace

std::optional<TemporalPart> temporal_part(std::string_view name, QType type) {
  const bool has_time = is_span(type) || type == QType::kTimestamp || type == QType::kDatetime;
  for (const PartWord& word : kPartWords) {
    const bool is_there = (word.of_instants && is_instant(type)) || (word.of_spans && has_time);
    if (word.name == name && is_there) return TemporalPart{word.operation, word.type};
  }
  return std::nullopt;
}

bool is_temporal_part(std::string_view name) {
  return std::any_of(kPartWords.begin(), kPartWords.end(),
                     [&](const PartWord& word) { return word.name == name; });
}

}  // namespace hdbench::queries
