// Primitives on vectors in memory, by plain loops: what a processor adds to what storage gives. On
// a vector that its caches hold (small), and on one larger than most (large).
#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "bench/io/io_test.h"

namespace hdbench {
namespace {

using Longs = std::vector<std::int64_t>;

// Values from 0 to kValues - 1 in no order.
constexpr std::int64_t kValues = 1000;

Longs values_of(const IoTask& task, IoVector vector) {
  std::vector<std::uint64_t> words(elements_of(task.vectors, vector));
  fill_words({QType::kLong, words.size(), task.seed}, 0, words);
  Longs values(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    values[i] = static_cast<std::int64_t>((words[i] >> 32) % kValues);
  }
  return values;
}

// Each gives a figure by which a wrong answer is found: it must be the same every time, and that of
// expected_of() where another way to it is known.
std::uint64_t sum(const Longs& values) {
  return static_cast<std::uint64_t>(std::accumulate(values.begin(), values.end(), std::int64_t{0}));
}

std::uint64_t max(const Longs& values) {
  std::int64_t greatest = INT64_MIN;
  for (const std::int64_t value : values) greatest = std::max(greatest, value);
  return static_cast<std::uint64_t>(greatest);
}

std::uint64_t med(const Longs& values) {
  Longs copy = values;
  const auto middle = copy.begin() + static_cast<std::ptrdiff_t>(copy.size() / 2);
  std::nth_element(copy.begin(), middle, copy.end());
  return static_cast<std::uint64_t>(*middle);
}

// Another order of adding gives other last bits.
std::uint64_t in_millionths(double value) {
  return static_cast<std::uint64_t>(std::llround(value * 1e6));
}

std::uint64_t sdev(const Longs& values) {
  const auto count = static_cast<double>(values.size());
  const double mean = static_cast<double>(sum(values)) / count;
  double squares = 0;
  for (const std::int64_t value : values) {
    const double off = static_cast<double>(value) - mean;
    squares += off * off;
  }
  return in_millionths(std::sqrt(squares / (count - 1)));
}

std::uint64_t asc(const Longs& values) {
  Longs copy = values;
  std::sort(copy.begin(), copy.end());
  return static_cast<std::uint64_t>(copy[copy.size() / 2]);
}

std::uint64_t distinct(const Longs& values) {
  std::vector<bool> seen(kValues, false);
  std::uint64_t count = 0;
  for (const std::int64_t value : values) {
    if (seen[static_cast<std::size_t>(value)]) continue;
    seen[static_cast<std::size_t>(value)] = true;
    ++count;
  }
  return count;
}

// Each value's rows: q's `group`.
std::uint64_t group(const Longs& values) {
  std::unordered_map<std::int64_t, std::vector<std::int64_t>> rows;
  for (std::size_t i = 0; i < values.size(); ++i) {
    rows[values[i]].push_back(static_cast<std::int64_t>(i));
  }
  return rows.size();
}

// The rows of the values below the middle.
std::uint64_t where(const Longs& values) {
  std::vector<std::int64_t> rows(values.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    rows[count] = static_cast<std::int64_t>(i);
    count += values[i] < kValues / 2 ? 1 : 0;
  }
  return count;
}

std::uint64_t deltas(const Longs& values) {
  Longs differences(values.size());
  differences[0] = values[0];
  for (std::size_t i = 1; i < values.size(); ++i) differences[i] = values[i] - values[i - 1];
  return sum(differences);
}

std::uint64_t sums(const Longs& values) {
  Longs running(values.size());
  std::partial_sum(values.begin(), values.end(), running.begin());
  return static_cast<std::uint64_t>(running.back());
}

std::uint64_t reverse(const Longs& values) {
  const Longs reversed(values.rbegin(), values.rend());
  return static_cast<std::uint64_t>(reversed.front());
}

using Histogram = std::vector<std::uint64_t>;

Histogram histogram_of(const Longs& values) {
  Histogram counts(kValues, 0);
  for (const std::int64_t value : values) ++counts[static_cast<std::size_t>(value)];
  return counts;
}

std::uint64_t sum_by(const Histogram& counts) {
  std::uint64_t total = 0;
  for (std::size_t value = 0; value < counts.size(); ++value) total += value * counts[value];
  return total;
}

std::uint64_t middle_by(const Histogram& counts, std::uint64_t rank) {
  std::size_t value = 0;
  for (std::uint64_t seen = counts[0]; seen <= rank; seen += counts[value]) ++value;
  return value;
}

std::uint64_t distinct_by(const Histogram& counts) {
  return static_cast<std::uint64_t>(
      std::count_if(counts.begin(), counts.end(), [](std::uint64_t n) { return n != 0; }));
}

std::uint64_t sdev_by(const Histogram& counts, std::uint64_t rows) {
  const auto count = static_cast<double>(rows);
  const double mean = static_cast<double>(sum_by(counts)) / count;
  double squares = 0;
  for (std::size_t value = 0; value < counts.size(); ++value) {
    const double off = static_cast<double>(value) - mean;
    squares += off * off * static_cast<double>(counts[value]);
  }
  return in_millionths(std::sqrt(squares / (count - 1)));
}

struct Primitive {
  const char* name;
  std::uint64_t (*call)(const Longs& values);
  // The answer from how often each value is there; where order counts, from the values.
  std::uint64_t (*expected)(const Longs& values, const Histogram& counts);
};

const Primitive kPrimitives[] = {
    {"sum", sum, [](const Longs&, const Histogram& counts) { return sum_by(counts); }},
    {"max", max,
     [](const Longs&, const Histogram& counts) {
       std::size_t value = counts.size() - 1;
       while (counts[value] == 0) --value;
       return static_cast<std::uint64_t>(value);
     }},
    {"med", med,
     [](const Longs& values, const Histogram& counts) {
       return middle_by(counts, values.size() / 2);
     }},
    {"sdev", sdev,
     [](const Longs& values, const Histogram& counts) { return sdev_by(counts, values.size()); }},
    {"asc", asc,
     [](const Longs& values, const Histogram& counts) {
       return middle_by(counts, values.size() / 2);
     }},
    {"distinct", distinct,
     [](const Longs&, const Histogram& counts) { return distinct_by(counts); }},
    {"group", group, [](const Longs&, const Histogram& counts) { return distinct_by(counts); }},
    {"where", where,
     [](const Longs&, const Histogram& counts) {
       return std::accumulate(counts.begin(), counts.begin() + kValues / 2, std::uint64_t{0});
     }},
    {"deltas", deltas,
     [](const Longs& values, const Histogram&) {
       return static_cast<std::uint64_t>(values.back());
     }},
    {"sums", sums, [](const Longs&, const Histogram& counts) { return sum_by(counts); }},
    {"reverse", reverse,
     [](const Longs& values, const Histogram&) {
       return static_cast<std::uint64_t>(values.back());
     }},
};

Status run_primitive(Worker& worker, const IoTask& task, IoVector vector,
                     const Primitive& primitive) {
  const Longs values = values_of(task, vector);
  const std::uint64_t expected = primitive.expected(values, histogram_of(values));
  std::uint64_t answers = 0;
  std::uint64_t times = 0;
  HDB_TRY(worker.begin());
  do {
    answers += primitive.call(values);
    worker.lap(values.size() * sizeof(std::int64_t));
    ++times;
  } while (!worker.is_over());
  worker.end();
  return worker.check_sum(answers, times * expected, primitive.name);
}

}  // namespace

void add_cpu_tests(std::vector<IoTest>& tests) {
  for (const Primitive& primitive : kPrimitives) {
    for (const IoVector vector : {IoVector::kSmall, IoVector::kLarge}) {
      IoTest test;
      test.test = primitive.name;
      test.group = "cpu";
      test.what = "a vector's worth, by a plain loop over memory";
      test.engine = "memory";
      test.vector = vector;
      test.ceiling = IoCeilingKind::kMemoryRead;
      test.work = [vector, &primitive](Worker& worker, const IoTask& task) {
        return run_primitive(worker, task, vector, primitive);
      };
      tests.push_back(std::move(test));
    }
  }
}

}  // namespace hdbench
