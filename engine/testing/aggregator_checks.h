// For tests: compares an aggregator's groups with plain arithmetic, and checks that its results are
// byte-identical however the rows are passed: in one batch, or as batches and runs to three
// aggregators that are merged.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <memory_resource>
#include <random>
#include <span>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/column.h"
#include "engine/column/type.h"
#include "engine/kernel/bits.h"
#include "engine/operator/aggregator.h"
#include "engine/testing/adversarial_doubles.h"

namespace hdbench {

inline constexpr QType kNumberTypes[] = {
    QType::kBoolean, QType::kByte,      QType::kShort, QType::kInt,      QType::kLong,
    QType::kMonth,   QType::kDate,      QType::kTime,  QType::kTimespan, QType::kMinute,
    QType::kSecond,  QType::kTimestamp, QType::kReal,  QType::kFloat,    QType::kDatetime};
inline constexpr auto kIntegerTypes = std::span(kNumberTypes).first<12>();
inline constexpr auto kFloatTypes = std::span(kNumberTypes).last<3>();
// One that is a group alone, few, as many as an id of a byte and one more, and more than have
// copies (group_copies.h) or ids of two bytes.
inline constexpr std::size_t kGroupCounts[] = {1, 2, 255, 256, 4097, 65537};

// Packed elements of a type.
struct PackedValues {
  QType type = QType::kLong;
  std::vector<std::byte> bytes;

  const std::byte* at(std::size_t row) const { return bytes.data() + row * type_width(type); }
  bool is_null(std::size_t row) const {
    if (is_floating(type)) return number(row) != number(row);
    return type_width(type) > 1 && integer(row) == kNullLong >> (64 - 8 * type_width(type));
  }
  std::int64_t integer(std::size_t row) const {
    return element_order_key(type, type_width(type), at(row));
  }
  // Nulls are no number.
  double number(std::size_t row) const {
    if (type == QType::kReal) return static_cast<double>(load_element<float>(at(row)));
    if (is_floating(type)) return load_element<double>(at(row));
    return is_null(row) ? std::numeric_limits<double>::quiet_NaN()
                        : static_cast<double>(integer(row));
  }
  template <typename T>
  void push_back(T value) {
    const std::size_t end = bytes.size();
    bytes.resize(end + type_width(type));
    std::memcpy(bytes.data() + end, &value, std::min(sizeof(value), std::size_t{type_width(type)}));
  }
};

// Of one kind a few hundred rows: small integers, any, nulls among them, great ones of one sign;
// floats as adversarial_doubles.h has them.
inline PackedValues adversarial_values(QType type, std::size_t count, std::mt19937_64& random) {
  PackedValues values{type, {}};
  const int bits = 8 * static_cast<int>(type_width(type));
  const std::uint64_t infinity = (std::uint64_t{1} << (bits - 1)) - 1;
  for (std::size_t left = count; left != 0;) {
    const std::size_t some = std::min<std::size_t>(left, 1 + random() % 600);
    left -= some;
    if (is_floating(type)) {
      for (const double value : adversarial_doubles(random, some)) {
        if (type == QType::kReal) values.push_back(static_cast<float>(value));
        if (type != QType::kReal) values.push_back(value);
      }
      continue;
    }
    const std::uint64_t kind = random() % 5;
    for (std::size_t i = 0; i < some; ++i) {
      std::uint64_t value = random();  // the low bytes are kept
      if (kind == 1) value = value % 100 - 50;
      if (kind == 2) value = value % 5 == 0 ? infinity + 1 : value % 1000;
      if (kind == 3) value = infinity - value % 3;
      if (kind == 4) value = value % 3 == 0 ? 0 - infinity : infinity;
      values.push_back(type == QType::kBoolean ? value & 1 : value);
    }
  }
  return values;
}

// Doubles of all their bits, each with its negative: their sum is 0 unless one is rounded.
inline std::vector<double> cancelling_doubles(std::size_t pairs, std::mt19937_64& random) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < pairs; ++i)
    numbers.push_back(1 - std::ldexp(static_cast<double>(random() >> 11), -56));
  std::vector<double> negatives = numbers;
  std::shuffle(negatives.begin(), negatives.end(), random);
  for (const double number : negatives) numbers.push_back(-number);
  return numbers;
}

struct GroupedRows {
  PackedValues values;
  PackedValues weights;  // of wavg; else empty
  std::vector<std::uint32_t> groups;
  std::size_t group_count = 0;
};

inline std::size_t rows_for(std::size_t group_count) { return 4000 + group_count * 5 / 4; }

// Some in stretches of one group, some mixed; of many groups some have no row.
inline std::vector<std::uint32_t> random_groups(std::size_t rows, std::size_t group_count,
                                                std::mt19937_64& random) {
  std::vector<std::uint32_t> groups;
  while (groups.size() < rows) {
    const bool is_stretch = random() % 8 == 0;
    const std::size_t some = std::min<std::size_t>(rows - groups.size(), 1 + random() % 900);
    const auto one = static_cast<std::uint32_t>(random() % group_count);
    for (std::size_t i = 0; i < some; ++i)
      groups.push_back(is_stretch ? one : static_cast<std::uint32_t>(random() % group_count));
  }
  return groups;
}

using MakeAggregator = std::function<std::unique_ptr<Aggregator>(std::pmr::memory_resource&)>;

inline MakeAggregator aggregate_of(Aggregate aggregate, QType type, QType weights = QType::kFloat) {
  return [=](std::pmr::memory_resource& resource) {
    return make_aggregator(aggregate, type, weights, resource);
  };
}

// A group of these numbers, with these weights.
inline GroupedRows one_group(const std::vector<double>& numbers,
                             const std::vector<double>& weights = {}) {
  GroupedRows rows{{QType::kFloat, {}}, {QType::kFloat, {}}, {}, 1};
  for (const double number : numbers) rows.values.push_back(number);
  for (const double weight : weights) rows.weights.push_back(weight);
  rows.groups.resize(numbers.size(), 0);
  return rows;
}

// Rows of adversarial values, of a group or many.
inline GroupedRows adversarial_rows(QType type, std::size_t groups, std::mt19937_64& random) {
  const std::size_t count = rows_for(groups);
  return {
      adversarial_values(type, count, random), {}, random_groups(count, groups, random), groups};
}

// An aggregator that numbers groups as they come.
class FedAggregator {
 public:
  FedAggregator(const GroupedRows& rows, const MakeAggregator& make)
      : rows_(rows),
        aggregator_(make(*std::pmr::new_delete_resource())),
        numbers_(rows.group_count, kNoNumber) {}

  // Rows [begin, end). `is_told`: how many rows a group has, and which groups there are.
  void take_batch(std::size_t begin, std::size_t end, bool is_told) {
    std::vector<std::uint32_t> numbers;
    for (std::size_t row = begin; row < end; ++row) numbers.push_back(number(rows_.groups[row]));
    aggregator_->resize(counts_.size());
    AggregateBatch batch{end - begin,    numbers.data(), rows_.values.at(begin),
                         weights(begin), end - begin,    0,
                         counts_.size()};
    if (is_told && !numbers.empty()) {
      std::vector<std::uint32_t> sorted = numbers;
      std::sort(sorted.begin(), sorted.end());
      batch.groups_begin = sorted.front();
      batch.groups_end = sorted.back() + std::size_t{1};
      batch.group_rows_max = 0;
      for (auto first = sorted.begin(); first != sorted.end();) {
        const auto next = std::upper_bound(first, sorted.end(), *first);
        batch.group_rows_max =
            std::max(batch.group_rows_max, static_cast<std::size_t>(next - first));
        first = next;
      }
    }
    for (const std::uint32_t number : numbers) ++counts_[number];
    aggregator_->update(batch);
  }

  // A run for each group of the rows, with bits where there are several.
  void take_runs(std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> here(rows_.groups.begin() + static_cast<std::ptrdiff_t>(begin),
                                    rows_.groups.begin() + static_cast<std::ptrdiff_t>(end));
    std::sort(here.begin(), here.end());
    here.erase(std::unique(here.begin(), here.end()), here.end());
    for (const std::uint32_t group : here) {
      std::vector<std::uint64_t> bits(words_for(end - begin), 0);
      const std::uint32_t its_number = number(group);
      for (std::size_t row = begin; row < end; ++row) {
        if (rows_.groups[row] != group) continue;
        bits[(row - begin) / kWordRows] |= std::uint64_t{1} << ((row - begin) % kWordRows);
        ++counts_[its_number];
      }
      aggregator_->resize(counts_.size());
      aggregator_->update_run({its_number, end - begin, here.size() == 1 ? nullptr : bits.data(),
                               rows_.values.at(begin), weights(begin)});
    }
  }

  void merge(FedAggregator& other) {
    std::vector<std::uint32_t> mapping;
    for (std::size_t n = 0; n < other.groups_.size(); ++n) {
      mapping.push_back(number(other.groups_[n]));
      counts_[mapping.back()] += other.counts_[n];
    }
    aggregator_->resize(counts_.size());
    aggregator_->merge(*other.aggregator_, mapping);
  }

  // Of all groups, `width` bytes each.
  std::vector<std::byte> results(std::size_t width) {
    for (std::uint32_t group = 0; group < rows_.group_count; ++group) number(group);
    aggregator_->resize(counts_.size());
    std::vector<std::byte> results(rows_.group_count * width);
    finish_groups(*aggregator_, numbers_, counts_, width, results.data(), nullptr);
    return results;
  }

 private:
  static constexpr std::uint32_t kNoNumber = UINT32_MAX;

  std::uint32_t number(std::uint32_t group) {
    if (numbers_[group] == kNoNumber) {
      numbers_[group] = static_cast<std::uint32_t>(counts_.size());
      counts_.push_back(0);
      groups_.push_back(group);
    }
    return numbers_[group];
  }
  const std::byte* weights(std::size_t row) const {
    return rows_.weights.bytes.empty() ? nullptr : rows_.weights.at(row);
  }

  const GroupedRows& rows_;
  std::unique_ptr<Aggregator> aggregator_;
  std::vector<std::uint32_t> numbers_;  // by group
  std::vector<std::uint32_t> groups_;   // by number
  std::vector<std::uint64_t> counts_;   // by number
};

// Of a column of floats, in one batch: their group's result.
inline double result_of(const GroupedRows& rows, Aggregate aggregate) {
  FedAggregator fed(rows, aggregate_of(aggregate, rows.values.type));
  fed.take_batch(0, rows.groups.size(), true);
  return load_element<double>(fed.results(sizeof(double)).data());
}

inline std::vector<std::byte> results_of_pieces(const GroupedRows& rows, const MakeAggregator& make,
                                                std::size_t width, std::mt19937_64& random) {
  constexpr std::size_t kLongRun = 64;
  FedAggregator fed[] = {{rows, make}, {rows, make}, {rows, make}};
  const std::size_t count = rows.groups.size();
  for (std::size_t begin = 0; begin < count;) {
    FedAggregator& one = fed[random() % 3];
    std::size_t same = begin + 1;
    while (same < count && rows.groups[same] == rows.groups[begin]) ++same;
    const bool is_run = random() % 2 == 0;
    const std::size_t longest = random() % 4 == 0 && !is_run ? 9000 : 40;
    std::size_t end = std::min<std::size_t>(count, begin + 1 + random() % longest);
    if (is_run && same - begin >= kLongRun) end = std::min(same, begin + kRunRowsMax);
    if (is_run) one.take_runs(begin, end);
    if (!is_run) one.take_batch(begin, end, random() % 2 == 0);
    begin = end;
  }
  const bool is_chain = random() % 2 == 0;
  fed[is_chain ? 1 : 0].merge(fed[2]);
  fed[0].merge(fed[1]);
  return fed[0].results(width);
}

// expected(the rows of a group, rising): the group's result, of the type that is stored.
template <typename R, typename Expected>
void check_groups(const GroupedRows& rows, const MakeAggregator& make, std::mt19937_64& random,
                  const Expected& expected) {
  INFO(type_name(rows.values.type)
       << ", weights " << type_name(rows.weights.type) << ", " << rows.group_count << " groups");
  FedAggregator whole(rows, make);
  whole.take_batch(0, rows.groups.size(), false);
  const std::vector<std::byte> found = whole.results(sizeof(R));
  REQUIRE((results_of_pieces(rows, make, sizeof(R), random) == found));
  std::vector<std::vector<std::size_t>> members(rows.group_count);
  for (std::size_t row = 0; row < rows.groups.size(); ++row)
    members[rows.groups[row]].push_back(row);
  for (std::size_t g = 0; g < members.size(); ++g) {
    const R result = load_element<R>(found.data() + g * sizeof(R));
    const R plain = expected(members[g]);
    if (result == plain || (result != result && plain != plain)) continue;
    INFO("group " << g << " of " << members[g].size() << " rows");
    REQUIRE(result == plain);
  }
}

}  // namespace hdbench
