#include "bench/report/answers/answers.h"

namespace hdbench {

std::vector<Answer> answers(const ReportPivot& pivot) {
  return {tier_answer(pivot),        gain_answer(pivot),   less_time_answer(pivot),
          two_minutes_answer(pivot), thread_answer(pivot), limit_answer(pivot),
          trust_answer(pivot)};
}

}  // namespace hdbench
