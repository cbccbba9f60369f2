#include "engine/exec/run_group.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "engine/exec/group_worker.h"
#include "engine/exec/prefetcher.h"
#include "engine/kernel/order_keys.h"
#include "engine/operator/gather.h"

namespace hdbench {
namespace {

using Order = std::pmr::vector<std::uint32_t>;

// Whether a key's element is shown as its group's last row has it: words do not tell a list's
// items, nor -0 from 0.
bool is_key_of_a_row(QType type) { return type == QType::kNested || is_floating(type); }

class GroupResult {
 public:
  // `order`: of groups.
  GroupResult(const QueryInput& input, std::span<const KeyColumn> keys, GroupWorker& groups,
              const Order& order, Workspace& workspace, TouchLog& touched)
      : input_(input),
        keys_(keys),
        groups_(groups),
        order_(order),
        places_(order.size(), &workspace),
        workspace_(workspace),
        touched_(touched) {
    for (std::size_t i = 0; i < order.size(); ++i) places_[i] = groups.place(order[i]);
  }

  ResultTable make() {
    table_.rows = order_.size();
    table_.key_count = input_.plan->is_exec ? 0 : input_.plan->by.size();
    const auto last_rows = in_order(groups_.rows().last_rows());
    for (std::size_t k = 0; k < keys_.size(); ++k) add_key(k, last_rows);
    for (std::size_t o = 0; o < input_.plan->outputs.size(); ++o) add_output(o, last_rows);
    for (const ResultColumn& column : table_.columns)
      touched_.write(column.buffer.data(), column.buffer.bytes());
    return std::move(table_);
  }

 private:
  using RowIds = std::pmr::vector<std::uint64_t>;

  // Nothing where the groups have none of these.
  RowIds in_order(std::span<const std::uint64_t> by_place) {
    RowIds rows(&workspace_);
    if (by_place.empty()) return rows;
    rows.reserve(places_.size());
    for (const std::uint32_t place : places_) rows.push_back(by_place[place]);
    return rows;
  }

  void add_key(std::size_t k, const RowIds& last_rows) {
    const KeyColumn& key = keys_[k];
    const std::string& name = input_.plan->by[k].name;
    if (is_key_of_a_row(key.type)) return add_rows(name, key.field, last_rows);
    const Field& source = input_.schema().fields[key.field];
    const std::uint32_t width = result_width(source, input_.slices, key.field);
    ResultColumn& column = add_column(name, source.type, width, source.domain);
    std::byte* out = column.buffer.data();
    for (const std::uint32_t group : order_) {
      key_element(key, groups_.groups().key(group), width, out);
      out += width;
    }
  }

  ResultColumn& add_column(const std::string& name, QType type, std::uint32_t width,
                           std::shared_ptr<const Domain> domain) {
    table_.columns.push_back(
        {name, type, width, Buffer(workspace_, table_.rows * width), std::move(domain)});
    return table_.columns.back();
  }

  void add_rows(const std::string& name, std::size_t field, const RowIds& rows) {
    const Field& source = input_.schema().fields[field];
    const std::uint32_t width = result_width(source, input_.slices, field);
    ResultColumn& column = add_column(name, source.type, width, source.domain);
    // Aggregates over no rows at all: the one group has no first or last row, q gives the null.
    if (input_.plan->by.empty() && groups_.rows().counts()[0] == 0) return store_null(column);
    note_rows(field, rows);
    stop_unless(
        gather_rows(input_.schema(), input_.slices, field, rows, width, column.buffer.data()));
  }

  void note_rows(std::size_t field, const RowIds& rows) {
    if (!touched_.has_meter() && input_.slices.size() == 1) {
      return touched_.count_rows(input_.slices.front(), field, rows.size());
    }
    for (const std::uint64_t row : rows)
      touched_.read_row(input_.slices[RowId::slice(row)], field, RowId::row(row));
  }

  void store_null(ResultColumn& column) {
    std::memset(column.buffer.data(), 0, column.buffer.bytes());
    if (column.type == QType::kSymbol) {
      // The empty symbol, which the domain need not hold.
      static constexpr std::string_view kEmpty[] = {""};
      column.domain = std::make_shared<const Domain>(
          column.domain->name(),
          std::vector<std::string_view>(std::begin(kEmpty), std::end(kEmpty)), nullptr);
    } else if (column.type == QType::kNested) {
      const NestedCell empty{nullptr, 0, static_cast<std::uint8_t>(QType::kChar), false, 0};
      std::memcpy(column.buffer.data(), &empty, sizeof(empty));
    } else if (column.type != QType::kGuid) {
      const bool has_null = type_width(column.type) > 1;
      from_order_key(column.type, has_null ? INT64_MIN : 0, column.buffer.data());
    }
  }

  void add_output(std::size_t o, const RowIds& last_rows) {
    const Output& output = input_.plan->outputs[o];
    switch (output.aggregate) {
      case Aggregate::kNone:
      case Aggregate::kLast: return add_rows(output.name, *output.field, last_rows);
      case Aggregate::kFirst:
        return add_rows(output.name, *output.field, in_order(groups_.rows().first_rows()));
      case Aggregate::kCount: {
        ResultColumn& column = add_column(output.name, QType::kLong, 8, nullptr);
        const RowIds counts = in_order(groups_.rows().counts());
        if (!counts.empty())
          std::memcpy(column.buffer.data(), counts.data(), counts.size() * sizeof(counts[0]));
        return;
      }
      default: break;
    }
    const QType type = aggregate_type(output.aggregate, input_.schema().fields[*output.field].type);
    ResultColumn& column = add_column(output.name, type, type_width(type), nullptr);
    groups_.aggregator(o)->finish(places_, groups_.rows().counts(), column.buffer.data());
  }

  const QueryInput& input_;
  std::span<const KeyColumn> keys_;
  GroupWorker& groups_;
  const Order& order_;
  Order places_;  // of the groups in this order
  Workspace& workspace_;
  TouchLog& touched_;
  ResultTable table_;
};

// Nothing where a morsel's rows may have any key of the index.
std::optional<FieldRange> keys_left(const QueryInput& input) {
  std::optional<FieldRange> left;
  for (const Morsel& morsel : input.morsels) {
    if (!morsel.index_key) return std::nullopt;
    const std::int64_t key = *morsel.index_key;
    if (!left) left = FieldRange{input.index_field, key, key};
    left->low = std::min(left->low, key);
    left->high = std::max(left->high, key);
  }
  return left;
}

// The lines of a result's rows, anywhere in the columns: asked for here, they are there when the
// groups are in order. (Inlined: GCC 12 drops calls of functions that only prefetch.)
[[gnu::always_inline]] inline void fetch_rows(const QueryInput& input,
                                              std::span<const std::uint64_t> row_ids) {
  constexpr std::size_t kFetchedMax = 16;
  if (row_ids.size() > kFetchedMax) return;
  for (const Output& output : input.plan->outputs) {
    if (!output.field) continue;
    for (const std::uint64_t id : row_ids) {
      const Column* column = input.slices[RowId::slice(id)].columns[*output.field];
      if (column != nullptr) __builtin_prefetch(column->data + RowId::row(id) * column->width);
    }
  }
}

GroupRowNeeds needs_of(const QueryInput& input, std::span<const KeyColumn> keys) {
  GroupRowNeeds needs;
  for (const Output& output : input.plan->outputs) {
    needs.counts |= needs_row_counts(output.aggregate);
    needs.first |= output.aggregate == Aggregate::kFirst;
    needs.last |= output.aggregate == Aggregate::kLast || output.aggregate == Aggregate::kNone;
  }
  needs.last |= input.plan->last_rows || std::any_of(keys.begin(), keys.end(), [](const auto& key) {
                  return is_key_of_a_row(key.type);
                });
  return needs;
}

bool is_virtual(const QueryInput& input, std::size_t field) {
  return input.schema().partitioned && field == 0;
}

using Workers = std::vector<std::optional<GroupWorker>>;

// Whether most rows have a key of their own, as one morsel tells: then what workers find out by
// themselves would have to be found out again when they are merged.
bool has_many_groups(const GroupTask& task, ThreadPool& pool, Workspace& workspace) {
  constexpr std::size_t kMorselsMin = 8;
  constexpr std::uint64_t kRowsAGroupMax = 8;
  const QueryInput& input = task.input;
  if (pool.size() == 1 || task.settings.mode != Mode::k40 || task.settings.prefetcher != nullptr ||
      input.morsels.size() < kMorselsMin)
    return false;
  GroupWorker sample(task, workspace);
  if (!sample.is_hashed()) return false;
  TouchLog unlogged(input.schema().fields.size(), nullptr);
  sample.take(input.morsels.size() / 2, unlogged);
  return sample.rows_taken() >= kMorselRowsMin / 2 &&
         sample.groups().size() >= sample.rows_taken() / kRowsAGroupMax;
}

// Every worker takes all morsels, for keys that no other one keeps.
void take_shares(const GroupTask& task, ThreadPool& pool, Workspace& workspace,
                 std::span<TouchLog> touches, Workers& workers) {
  const QueryInput& input = task.input;
  pool.run(workers.size(), [&](std::size_t part, std::size_t worker) {
    workers[part].emplace(task, workspace, KeyShare{part, workers.size()});
    for (std::size_t m = 0; m < input.morsels.size(); ++m) {
      if (task.settings.stop != nullptr && task.settings.stop->load(std::memory_order_relaxed))
        throw QueryStop{usage_error("interrupted")};
      workers[part]->take(m, touches[worker]);
    }
  });
  for (std::size_t part = 1; part < workers.size(); ++part) {
    workers[0]->append(*workers[part]);
    workers[part].reset();
  }
}

// Has the workers take all morsels, and merges them into the first, which is there and says which
// pass this is.
void take_all(const GroupTask& task, ThreadPool& pool, Workspace& workspace,
              std::span<TouchLog> touches, Workers& workers) {
  const QueryInput& input = task.input;
  GroupWorker& all = *workers[0];
  const bool is_second = all.is_in_second_pass();
  const PrefetchPass ahead(task.settings, input, pool.size(),
                           [&](std::size_t m) { return group_fields(input, input.morsels[m]); });
  for_each_morsel(input, task.settings, pool, [&](std::size_t m, std::size_t worker) {
    if (!workers[worker]) {
      workers[worker].emplace(task, workspace);
      if (is_second) workers[worker]->begin_second_pass(all);
    }
    workers[worker]->take(m, touches[worker]);
  });
  for (std::size_t worker = 1; worker < workers.size(); ++worker) {
    if (workers[worker]) all.merge(*workers[worker]);
    workers[worker].reset();
  }
}

}  // namespace

ResultTable run_group(const QueryInput& input, const ExecuteSettings& settings, ThreadPool& pool,
                      Workspace& workspace, std::span<TouchLog> touches) {
  const Plan& plan = *input.plan;
  GroupTask task{input,
                 settings,
                 make_key_columns(input.schema(), plan, input.slices, keys_left(input)),
                 {},
                 {}};
  task.needs = needs_of(input, task.keys);
  for (const Output& output : plan.outputs) {
    task.ranges.push_back(output.aggregate == Aggregate::kMed && !is_virtual(input, *output.field)
                              ? sampled_range(input.schema(), input.slices, *output.field)
                              : ValueRange{});
  }
  Workers workers(pool.size());
  if (has_many_groups(task, pool, workspace)) {
    take_shares(task, pool, workspace, touches, workers);
  } else {
    workers[0].emplace(task, workspace);
    take_all(task, pool, workspace, touches, workers);
  }
  GroupWorker& all = *workers[0];
  if (all.needs_second_pass()) {
    all.begin_second_pass(all);
    take_all(task, pool, workspace, touches, workers);
  }
  all.settle_groups();
  const std::span<const std::uint64_t> last_rows = all.rows().last_rows();
  if (plan.last_rows) fetch_rows(input, last_rows);
  prefetch_rows(settings, input, last_rows);
  prefetch_rows(settings, input, all.rows().first_rows());
  auto order = sorted_groups(input.schema(), input.slices, task.keys, all.groups(), last_rows, pool,
                             workspace);
  if (!order.ok()) throw QueryStop{order.error()};
  return GroupResult(input, task.keys, all, *order, workspace, touches[0]).make();
}

}  // namespace hdbench
