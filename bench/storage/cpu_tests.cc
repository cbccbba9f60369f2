// Primitives on vectors in memory, by plain loops: what a processor adds to what storage gives. On
// a vector that its caches hold (small), and on one larger than most (large).
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "bench/storage/io_tests.h"

namespace hdbench::bench {
namespace {

template <typename T>
using Values = std::vector<T>;

// Whole numbers from 0 to kValues - 1 in no order, of every type: sums of them are exact.
constexpr std::int64_t kValues = 1000;
constexpr std::int64_t kMiddle = kValues / 2;

template <typename T>
Values<T> values_of(const IoTask& task) {
  std::vector<std::uint64_t> words(elements_of(task.vectors, task.test->vector));
  fill_words({QType::kLong, words.size(), task.seed}, 0, words);
  Values<T> values(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    values[i] = static_cast<T>((words[i] >> 32) % kValues);
  }
  return values;
}

// As q sums: ints to longs.
template <typename T>
using Sum = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;

// Each gives a figure by which a wrong answer is found: that of answers_of(), every time.
template <typename T>
std::uint64_t sum(const Values<T>& values) {
  return static_cast<std::uint64_t>(std::accumulate(values.begin(), values.end(), Sum<T>{0}));
}

template <typename T>
std::uint64_t max(const Values<T>& values) {
  T greatest = std::numeric_limits<T>::lowest();
  for (const T value : values) greatest = std::max(greatest, value);
  return static_cast<std::uint64_t>(greatest);
}

template <typename T>
std::uint64_t med(const Values<T>& values) {
  Values<T> copy = values;
  const auto middle = copy.begin() + static_cast<std::ptrdiff_t>(copy.size() / 2);
  std::nth_element(copy.begin(), middle, copy.end());
  return static_cast<std::uint64_t>(*middle);
}

// Another order of adding gives other last bits.
std::uint64_t in_millionths(double value) {
  return static_cast<std::uint64_t>(std::llround(value * 1e6));
}

template <typename T>
std::uint64_t sdev(const Values<T>& values) {
  const auto count = static_cast<double>(values.size());
  const double mean = static_cast<double>(sum(values)) / count;
  double squares = 0;
  for (const T value : values) {
    const double off = static_cast<double>(value) - mean;
    squares += off * off;
  }
  return in_millionths(std::sqrt(squares / (count - 1)));
}

template <typename T>
std::uint64_t asc(const Values<T>& values) {
  Values<T> copy = values;
  std::sort(copy.begin(), copy.end());
  return static_cast<std::uint64_t>(copy[copy.size() / 2]);
}

template <typename T>
std::uint64_t distinct(const Values<T>& values) {
  std::vector<bool> seen(kValues, false);
  std::uint64_t count = 0;
  for (const T value : values) {
    if (seen[static_cast<std::size_t>(value)]) continue;
    seen[static_cast<std::size_t>(value)] = true;
    ++count;
  }
  return count;
}

// Each value's rows: q's `group`.
template <typename T>
std::uint64_t group(const Values<T>& values) {
  std::unordered_map<T, std::vector<std::int64_t>> rows;
  for (std::size_t i = 0; i < values.size(); ++i) {
    rows[values[i]].push_back(static_cast<std::int64_t>(i));
  }
  return rows.size();
}

// The rows of the values below the middle.
template <typename T>
std::uint64_t where(const Values<T>& values) {
  std::vector<std::int64_t> rows(values.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    rows[count] = static_cast<std::int64_t>(i);
    count += values[i] < static_cast<T>(kMiddle) ? 1 : 0;
  }
  return count;
}

template <typename T>
std::uint64_t deltas(const Values<T>& values) {
  Values<T> differences(values.size());
  differences[0] = values[0];
  for (std::size_t i = 1; i < values.size(); ++i) differences[i] = values[i] - values[i - 1];
  return sum(differences);
}

template <typename T>
std::uint64_t sums(const Values<T>& values) {
  Values<Sum<T>> running(values.size());
  Sum<T> total = 0;
  for (std::size_t i = 0; i < values.size(); ++i) running[i] = total += values[i];
  return static_cast<std::uint64_t>(running.back());
}

template <typename T>
std::uint64_t reverse(const Values<T>& values) {
  const Values<T> reversed(values.rbegin(), values.rend());
  return static_cast<std::uint64_t>(reversed.front());
}

// What the primitives must answer, from the sorted values; of the last one, where order counts.
struct Answers {
  std::uint64_t sum = 0, max = 0, middle = 0, sdev = 0, distinct = 0, below_middle = 0, last = 0;
};

template <typename T>
Answers answers_of(const Values<T>& values) {
  std::vector<std::uint64_t> sorted(values.begin(), values.end());
  Answers all;
  all.last = sorted.back();
  std::sort(sorted.begin(), sorted.end());
  std::uint64_t squares = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    all.sum += sorted[i];
    squares += sorted[i] * sorted[i];
    if (sorted[i] < kMiddle) ++all.below_middle;
    if (i == 0 || sorted[i] != sorted[i - 1]) ++all.distinct;
  }
  all.max = sorted.back();
  all.middle = sorted[sorted.size() / 2];
  const auto rows = static_cast<double>(sorted.size());
  const auto sum = static_cast<double>(all.sum);
  all.sdev =
      in_millionths(std::sqrt((static_cast<double>(squares) - sum / rows * sum) / (rows - 1)));
  return all;
}

template <typename T>
struct Primitive {
  const char* name;
  std::uint64_t (*call)(const Values<T>& values);
  std::uint64_t Answers::* expected;
};

template <typename T>
const Primitive<T> kPrimitives[] = {
    {"sum", sum<T>, &Answers::sum},          {"max", max<T>, &Answers::max},
    {"med", med<T>, &Answers::middle},       {"sdev", sdev<T>, &Answers::sdev},
    {"asc", asc<T>, &Answers::middle},       {"distinct", distinct<T>, &Answers::distinct},
    {"group", group<T>, &Answers::distinct}, {"where", where<T>, &Answers::below_middle},
    {"deltas", deltas<T>, &Answers::last},   {"sums", sums<T>, &Answers::sum},
    {"reverse", reverse<T>, &Answers::last},
};

template <typename T>
Status run_primitive(Worker& worker, const IoTask& task, const Primitive<T>& primitive) {
  const Values<T> values = values_of<T>(task);
  const std::uint64_t expected = answers_of(values).*primitive.expected;
  std::uint64_t answers = 0;
  const auto call = [&](std::uint64_t) {
    answers += primitive.call(values);
    return ok_status();
  };
  HDB_ASSIGN(const std::uint64_t times, worker.repeat(values.size() * sizeof(T), UINT64_MAX, call));
  return worker.check_sum(answers, times * expected, primitive.name);
}

template <typename T>
void add_primitives(QType type, std::vector<IoTest>& tests) {
  for (const Primitive<T>& primitive : kPrimitives<T>) {
    for (const IoVector vector : {IoVector::kSmall, IoVector::kLarge}) {
      add_test(tests, "cpu", primitive.name, "memory",
               "a vector's worth, by a plain loop over memory",
               [&primitive](Worker& worker, const IoTask& task) {
                 return run_primitive<T>(worker, task, primitive);
               },
               {{vector, type}, "", IoCeilingKind::kMemoryRead});
    }
  }
}

}  // namespace

void add_cpu_tests(std::vector<IoTest>& tests) {
  add_primitives<std::int64_t>(QType::kLong, tests);
  add_primitives<std::int32_t>(QType::kInt, tests);
  add_primitives<double>(QType::kFloat, tests);
}

}  // namespace hdbench::bench
