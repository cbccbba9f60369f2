#include "bench/kdb/kdb_steps.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <span>
#include <utility>

#include "engine/base/check.h"

namespace hdbench::bench {
namespace {

// The rows that the plan's first conditions leave, counted by `by`.
Plan counting(const Plan& plan, std::size_t conditions, std::vector<GroupKey> by) {
  Plan counts;
  counts.outputs.push_back({"n", Aggregate::kCount, std::nullopt, std::nullopt});
  counts.by = std::move(by);
  counts.where.assign(plan.where.begin(),
                      plan.where.begin() + static_cast<std::ptrdiff_t>(conditions));
  counts.computed = plan.computed;
  counts.source = plan.source;
  for (const ConditionQuery& query : plan.condition_queries) {
    if (query.condition < conditions) counts.condition_queries.push_back(query);
  }
  return counts;
}

std::int64_t integer_at(const ResultColumn& column, std::uint64_t row) {
  const std::byte* const element = column.buffer.data() + row * column.width;
  std::int64_t value = 0;
  if (column.width == sizeof(std::int32_t)) {
    std::int32_t narrow = 0;
    std::memcpy(&narrow, element, sizeof(narrow));
    value = narrow;
  } else {
    HDB_CHECK(column.width == sizeof(value), "a partition's value or a count");
    std::memcpy(&value, element, sizeof(value));
  }
  return value;
}

// Whether a plan groups rows by something, and by what.
std::vector<GroupKey> group_keys(const Plan& plan) {
  if (!plan.distinct) return plan.by;
  std::vector<GroupKey> keys;
  for (const Output& output : plan.outputs) keys.push_back({output.name, *output.field});
  return keys;
}

class Counter {
 public:
  Counter(const Table* table, const Plan& plan, const KdbRun& run)
      : table_(plan.source == nullptr ? table : nullptr), plan_(plan), run_(run) {}

  Result<KdbSteps> steps() {
    HDB_TRY(begin_parts());
    for (std::size_t c = 0; c < plan_.where.size(); ++c) HDB_TRY(count_left(c + 1));
    const std::vector<GroupKey> keys = group_keys(plan_);
    if (!keys.empty()) HDB_TRY(count_groups(keys));
    const auto drop = std::erase_if(steps_.parts, [&](const KdbPartSteps& part) {
      return prunes_partitions(plan_, 0, is_partitioned()) && part.left.front() == 0;
    });
    if (drop != 0 && steps_.parts.empty()) steps_.parts.push_back({});
    HDB_TRY(count_rows());
    HDB_TRY(count_below());
    return std::move(steps_);
  }

 private:
  bool is_partitioned() const { return table_ != nullptr && table_->schema().partitioned; }

  // Each partition's rows, or those of a source as one part.
  Status begin_parts() {
    if (table_ == nullptr) {
      steps_.parts.resize(1);
      return run_(nullptr, counting(plan_, 0, {}), [&](const ResultTable& rows) {
        steps_.parts[0].rows = static_cast<std::uint64_t>(integer_at(rows.columns[0], 0));
      });
    }
    for (std::size_t part = 0; part < table_->part_count(); ++part) {
      const Result<std::uint64_t> rows = table_->rows(part);
      // A partition that cannot be read is no error where no query reads it.
      places_.emplace(is_partitioned() ? table_->partition_value(part) : 0, steps_.parts.size());
      steps_.parts.push_back({rows.ok() ? *rows : 0, {}, 0});
    }
    return ok_status();
  }

  // Adds a count to the part of a row of a result by partition.
  template <typename Add>
  Status by_part(std::size_t conditions, std::vector<GroupKey> keys, const Add& add) {
    if (is_partitioned()) keys.insert(keys.begin(), {"part", 0});
    const Plan counts = counting(plan_, conditions, std::move(keys));
    return run_(table_, counts, [&](const ResultTable& rows) {
      for (std::uint64_t row = 0; row < rows.rows; ++row) {
        std::size_t part = 0;
        if (is_partitioned()) part = places_.at(integer_at(rows.columns[0], row));
        add(steps_.parts[part], static_cast<std::uint64_t>(integer_at(rows.columns.back(), row)));
      }
    });
  }

  Status count_left(std::size_t conditions) {
    for (KdbPartSteps& part : steps_.parts) part.left.push_back(0);
    return by_part(conditions, {},
                   [](KdbPartSteps& part, std::uint64_t rows) { part.left.back() += rows; });
  }

  Status count_groups(std::vector<GroupKey> keys) {
    // By the partition alone a group is a partition.
    const bool has_partition =
        is_partitioned() && std::erase_if(keys, [](const GroupKey& key) { return key.field == 0; });
    HDB_TRY(by_part(plan_.where.size(), keys, [](KdbPartSteps& part, std::uint64_t rows) {
      if (rows != 0) ++part.groups;
    }));
    for (const KdbPartSteps& part : steps_.parts) steps_.groups += part.groups;
    if (has_partition || !is_partitioned()) return ok_status();
    return run_(table_, counting(plan_, plan_.where.size(), keys),
                [&](const ResultTable& rows) { steps_.groups = rows.rows; });
  }

  // Rows that are taken, or brought together as lists, are known when they are there.
  Status count_rows() {
    if (plan_.take || plan_.lists)
      return run_(table_, plan_, [&](const ResultTable& rows) { steps_.rows = rows.rows; });
    const bool is_grouped = !plan_.by.empty() || plan_.distinct;
    steps_.rows = is_grouped ? steps_.groups : plan_.aggregates() ? 1 : steps_.found();
    return ok_status();
  }

  Status count_below() {
    for (const ConditionQuery& query : plan_.condition_queries) {
      HDB_ASSIGN(KdbSteps below, count_steps(query.query.table, *query.query.plan, run_));
      steps_.condition_queries.push_back(std::make_shared<const KdbSteps>(std::move(below)));
    }
    if (plan_.source == nullptr) return ok_status();
    HDB_ASSIGN(KdbSteps left,
               count_steps(plan_.source->left.table, *plan_.source->left.plan, run_));
    steps_.left = std::make_shared<const KdbSteps>(std::move(left));
    if (plan_.source->right.plan == nullptr || plan_.source->is_right_over_left) return ok_status();
    HDB_ASSIGN(KdbSteps right,
               count_steps(plan_.source->right.table, *plan_.source->right.plan, run_));
    steps_.right = std::make_shared<const KdbSteps>(std::move(right));
    return ok_status();
  }

  const Table* table_;
  const Plan& plan_;
  const KdbRun& run_;
  KdbSteps steps_;
  std::map<std::int64_t, std::size_t> places_;  // of the first part with a partition's value
};

std::shared_ptr<const KdbSteps> guess_side(const PlanSide& side, const KdbGuess& guess) {
  if (side.plan == nullptr) return nullptr;
  const bool is_partitioned = side.table != nullptr && side.table->schema().partitioned;
  return std::make_shared<const KdbSteps>(guess_steps(*side.plan, is_partitioned, guess));
}

}  // namespace

std::uint64_t KdbSteps::found() const {
  std::uint64_t rows_found = 0;
  for (const KdbPartSteps& part : parts) rows_found += part.found();
  return rows_found;
}

Result<KdbSteps> count_steps(const Table* table, const Plan& plan, const KdbRun& run) {
  return Counter(table, plan, run).steps();
}

KdbSteps guess_steps(const Plan& plan, bool is_partitioned, const KdbGuess& guess) {
  KdbSteps steps;
  const bool is_made = plan.source != nullptr;
  const std::uint64_t parts = is_made || !is_partitioned ? 1 : guess.partitions;
  const auto share = [&](std::uint64_t all, std::uint64_t part) {
    return all / parts + (part < all % parts ? 1 : 0);
  };
  const bool groups = !plan.by.empty() || plan.distinct;
  const bool by_partition =
      is_partitioned && std::any_of(plan.by.begin(), plan.by.end(),
                                    [](const GroupKey& key) { return key.field == 0; });
  if (is_made) steps.left = guess_side(plan.source->left, guess);
  if (is_made && !plan.source->is_right_over_left)
    steps.right = guess_side(plan.source->right, guess);
  const std::uint64_t rows = is_made ? steps.left->rows : guess.rows;
  const std::uint64_t matches = plan.where.empty() ? rows : std::min(rows, guess.matches);
  for (std::uint64_t part = 0; part < parts; ++part) {
    KdbPartSteps counts;
    counts.rows = share(rows, part);
    for (std::size_t c = 0; c < plan.where.size(); ++c) {
      const bool prunes = prunes_partitions(plan, c, is_partitioned);
      const bool is_last = c + 1 == plan.where.size();
      counts.left.push_back(prunes && !is_last ? counts.rows : share(matches, part));
    }
    if (groups) {
      counts.groups =
          std::min(counts.found(), by_partition ? share(guess.distinct, part) : guess.distinct);
    }
    steps.groups += counts.groups;
    steps.parts.push_back(std::move(counts));
  }
  if (groups && !by_partition) steps.groups = std::min(steps.found(), guess.distinct);
  steps.rows = groups ? steps.groups : plan.aggregates() ? 1 : steps.found();
  for (const ConditionQuery& query : plan.condition_queries)
    steps.condition_queries.push_back(guess_side(query.query, guess));
  return steps;
}

}  // namespace hdbench::bench
