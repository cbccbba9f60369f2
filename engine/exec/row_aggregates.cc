#include "engine/exec/row_aggregates.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/operator/aggregator.h"
#include "engine/operator/group_aggregates.h"
#include "engine/shaping/row_keys.h"

namespace hdbench {
namespace {

// Rows whose keys' words are in the first-level cache.
constexpr std::size_t kPlacedAtOnce = 1024;

bool groups_alone(const Plan& plan) {
  return plan.source == nullptr && plan.where.empty() && plan.condition_queries.empty() &&
         plan.computed.empty() && plan.results.empty() && !plan.last_rows && !plan.distinct &&
         !plan.order && !plan.take && !plan.lists && !plan.by.empty();
}

// Medians keep every value, and first and last rows are numbered by the table that they are of.
bool is_served(const Output& output, const ResultTable& left) {
  if (output.aggregate == Aggregate::kCount) return true;
  if (!takes_values(output.aggregate) || output.aggregate == Aggregate::kMed) return false;
  const auto is_packed = [&](const std::optional<std::size_t>& field) {
    return !field || left.columns[*field].width == type_width(left.columns[*field].type);
  };
  return is_packed(output.field) && is_packed(output.weights);
}

QType type_of(const ResultTable& left, const std::optional<std::size_t>& field) {
  return field ? left.columns[*field].type : QType::kLong;
}

// A key's least word, and what a step from it counts among the combinations of all keys.
struct KeySteps {
  std::int64_t low = std::numeric_limits<std::int64_t>::max();
  std::int64_t high = std::numeric_limits<std::int64_t>::min();
  std::uint64_t step = 0;

  void take(std::int64_t its_low, std::int64_t its_high) {
    low = std::min(low, its_low);
    high = std::max(high, its_high);
  }
};

// Rows' places among the combinations of their keys' values.
class KeyPlaces {
 public:
  KeyPlaces(const ResultTable& rows, std::span<const std::size_t> keys, ThreadPool& pool)
      : rows_(rows), keys_(keys), steps_(keys.size()) {
    for (const std::size_t key : keys) {
      const QType type = rows.columns[key].type;
      if (type == QType::kNested || type == QType::kGuid) return;
    }
    for (std::size_t k = 0; k < keys.size() && (k == 0 || count_ != 0); ++k) add_key(k, pool);
  }

  // 0: more than there are rows for.
  std::uint64_t count() const { return count_; }

  // Of the rows [begin, begin + count), at most kPlacedAtOnce.
  void write(std::size_t begin, std::size_t count, std::uint32_t* places) const {
    std::int64_t words[kPlacedAtOnce];
    std::fill_n(places, count, 0U);
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      if (steps_[k].low == steps_[k].high) continue;
      equality_words(rows_.columns[keys_[k]], begin, begin + count, words);
      for (std::size_t i = 0; i < count; ++i) {
        places[i] += static_cast<std::uint32_t>(
            static_cast<std::uint64_t>(words[i] - steps_[k].low) * steps_[k].step);
      }
    }
  }

 private:
  void add_key(std::size_t k, ThreadPool& pool) {
    std::vector<KeySteps> found(pool.size());
    const auto rows = static_cast<std::size_t>(rows_.rows);
    pool.run((rows + kChunkRows - 1) / kChunkRows, [&](std::size_t chunk, std::size_t worker) {
      const std::size_t end = std::min(rows, (chunk + 1) * kChunkRows);
      std::int64_t words[kPlacedAtOnce];
      for (std::size_t begin = chunk * kChunkRows; begin < end; begin += kPlacedAtOnce) {
        const std::size_t count = std::min(kPlacedAtOnce, end - begin);
        equality_words(rows_.columns[keys_[k]], begin, begin + count, words);
        std::int64_t low = words[0];
        std::int64_t high = words[0];
        for (std::size_t i = 1; i < count; ++i) {
          low = std::min(low, words[i]);
          high = std::max(high, words[i]);
        }
        found[worker].take(low, high);
      }
    });
    KeySteps& key = steps_[k];
    for (const KeySteps& part : found) key.take(part.low, part.high);
    key.step = k == 0 ? 1 : count_;
    const std::uint64_t most = rows_.rows / key.step;
    const std::uint64_t values =
        static_cast<std::uint64_t>(key.high) - static_cast<std::uint64_t>(key.low) + 1;
    count_ = values == 0 || values > most ? 0 : values * key.step;
  }

  const ResultTable& rows_;
  std::span<const std::size_t> keys_;
  std::vector<KeySteps> steps_;
  std::uint64_t count_ = 0;
};

// A worker's share of the rows: a group's number is its place.
std::unique_ptr<GroupAggregates> make_places(const Plan& plan, const ResultTable& left,
                                             std::size_t places,
                                             std::pmr::memory_resource& memory) {
  auto groups = std::make_unique<GroupAggregates>(GroupRowNeeds{.counts = true}, memory);
  for (const Output& output : plan.outputs) {
    groups->add(make_aggregator(output.aggregate, type_of(left, output.field),
                                type_of(left, output.weights), memory));
  }
  groups->resize(places);
  return groups;
}

void take_rows_of(const Plan& plan, const ResultTable& left, std::size_t begin,
                  std::span<const std::uint32_t> places, GroupAggregates& groups) {
  groups.rows().note_rows(places.data(), places.size(), nullptr);
  const auto values_of = [&](const std::optional<std::size_t>& field) {
    if (!field) return static_cast<const std::byte*>(nullptr);
    const ResultColumn& column = left.columns[*field];
    return column.buffer.data() + begin * column.width;
  };
  for (std::size_t o = 0; o < plan.outputs.size(); ++o) {
    if (groups.active(o) == nullptr) continue;
    groups.active(o)->update({places.size(), places.data(), values_of(plan.outputs[o].field),
                              values_of(plan.outputs[o].weights), places.size(), 0,
                              groups.group_count()});
  }
}

ResultTable make_groups(const Plan& plan, const ResultTable& left, const GroupAggregates& all,
                        std::span<const std::uint32_t> places, QueryContext& context) {
  ResultTable groups;
  groups.rows = places.size();
  groups.columns.resize(plan.by.size());
  for (std::size_t o = 0; o < plan.outputs.size(); ++o) {
    const Output& output = plan.outputs[o];
    groups.columns.push_back(
        all.finish(o, output, type_of(left, output.field), places, &context.pool, context.memory));
    const Buffer& made = groups.columns.back().buffer;
    context.accesses.write(made.data(), made.bytes());
  }
  return groups;
}

}  // namespace

std::optional<RowAggregates> aggregate_rows(const PlanSource& source, const ResultTable& left,
                                            QueryContext& context) {
  const Plan& plan = *source.right.plan;
  const auto serves = [&](const Output& output) { return is_served(output, left); };
  if (left.rows == 0 || !groups_alone(plan) ||
      !std::all_of(plan.outputs.begin(), plan.outputs.end(), serves)) {
    return std::nullopt;
  }
  const auto log_read = [&](const std::optional<std::size_t>& column) {
    if (!column) return;
    context.accesses.pass_column(left.columns[*column].buffer);
  };
  const KeyPlaces key_places(left, source.left_keys, context.pool);
  for (const std::size_t key : source.left_keys) log_read(key);
  const auto count = static_cast<std::size_t>(key_places.count());
  if (count == 0) return std::nullopt;
  const auto rows = static_cast<std::size_t>(left.rows);
  Matches places(rows, &context.memory);
  std::vector<std::unique_ptr<GroupAggregates>> workers(context.pool.size());
  context.pool.run(
      (rows + kChunkRows - 1) / kChunkRows, [&](std::size_t chunk, std::size_t worker) {
        if (!workers[worker]) workers[worker] = make_places(plan, left, count, context.memory);
        const std::size_t end = std::min(rows, (chunk + 1) * kChunkRows);
        for (std::size_t begin = chunk * kChunkRows; begin < end; begin += kPlacedAtOnce) {
          const std::size_t some = std::min(kPlacedAtOnce, end - begin);
          key_places.write(begin, some, places.data() + begin);
          take_rows_of(plan, left, begin, {places.data() + begin, some}, *workers[worker]);
        }
      });
  for (const std::size_t key : source.left_keys) log_read(key);
  for (const Output& output : plan.outputs) {
    log_read(output.field);
    log_read(output.weights);
  }
  context.accesses.write(reinterpret_cast<const std::byte*>(places.data()),
                         rows * sizeof(places[0]));
  std::erase(workers, nullptr);
  std::pmr::vector<std::uint32_t> all_places(count, &context.memory);
  std::iota(all_places.begin(), all_places.end(), 0U);
  for (std::size_t w = 1; w < workers.size(); ++w) {
    workers[0]->merge(*workers[w], all_places);
    workers[w].reset();
  }
  return RowAggregates{make_groups(plan, left, *workers[0], all_places, context),
                       std::move(places)};
}

}  // namespace hdbench
