#include "engine/exec/group_state.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "engine/exec/computed_columns.h"
#include "engine/exec/run_plan.h"
#include "engine/operator/gather.h"
#include "engine/operator/unpacking.h"

namespace hdbench {
namespace {

class GroupResult {
 public:
  GroupResult(const GroupTask& task, const GroupState& groups, std::span<const std::uint32_t> order,
              ThreadPool* pool, AccessLog& accesses)
      : input_(task.input),
        keys_(task.keys),
        groups_(groups),
        order_(order),
        memory_(task.input.context->memory),
        places_(order.size(), &memory_),
        is_partial_(task.is_partial),
        pool_(pool),
        accesses_(accesses) {
    for (std::size_t i = 0; i < order.size(); ++i) places_[i] = groups.place(order[i]);
  }

  ResultTable make() {
    table_.rows = order_.size();
    const auto last_rows = in_order(groups_.rows().last_rows());
    // Of equal rows the first is shown: its zeros may have another sign than the last one's.
    const bool shows_first = is_distinct(input_.plan);
    const RowIds first_rows =
        shows_first ? in_order(groups_.rows().first_rows()) : RowIds(&memory_);
    for (std::size_t k = 0; k < keys_.size(); ++k) add_key(k, shows_first ? first_rows : last_rows);
    for (std::size_t o = 0; o < input_.plan.outputs.size(); ++o) {
      if (!is_partial_ || is_of_a_row(input_.plan.outputs[o])) add_output(o, last_rows);
    }
    return std::move(table_);
  }

 private:
  using RowIds = std::pmr::vector<std::uint64_t>;

  // Nothing where the groups have none of these.
  RowIds in_order(std::span<const std::uint64_t> by_place) {
    RowIds rows(&memory_);
    if (by_place.empty()) return rows;
    rows.reserve(places_.size());
    for (const std::uint32_t place : places_) rows.push_back(by_place[place]);
    return rows;
  }

  void add_key(std::size_t k, const RowIds& shown_rows) {
    const KeyColumn& key = keys_[k];
    const std::string& name = input_.plan.by[k].name;
    if (is_key_of_a_row(key.type)) return add_rows(name, key.field, shown_rows);
    const Field& source = input_.schema().fields[key.field];
    const std::uint32_t width = result_width(source, input_.views, key.field);
    ResultColumn& column = add_column(name, source.type, width, source.domain);
    std::byte* out = column.buffer.data();
    for (const std::uint32_t group : order_) {
      key_element(key, groups_.index().key(group), width, out);
      out += width;
    }
  }

  ResultColumn& add_column(const std::string& name, QType type, std::uint32_t width,
                           std::shared_ptr<const Domain> domain) {
    table_.columns.push_back(
        {name, type, width, Buffer(memory_, table_.rows * width), std::move(domain)});
    return table_.columns.back();
  }

  void add_rows(const std::string& name, std::size_t field, const RowIds& rows) {
    const Field& source = input_.schema().fields[field];
    const std::uint32_t width = result_width(source, input_.views, field);
    ResultColumn& column = add_column(name, source.type, width, source.domain);
    // Aggregates over no rows at all: the one group has no first or last row, q gives the null.
    if (!is_partial_ && input_.plan.by.empty() && groups_.rows().counts()[0] == 0)
      return store_null(column);
    input_.for_each_column(field, [&](std::size_t read) { note_rows(read, rows); });
    stop_unless(gather_field_rows(input_, field, rows, width, column.buffer.data(), memory_));
  }

  void note_rows(std::size_t field, const RowIds& rows) {
    if (input_.views.size() == 1 && !accesses_.needs_places(input_.views.front(), field)) {
      return accesses_.count_rows(input_.views.front(), field, rows.size());
    }
    unpack_rows_of(field, rows);
    for (const std::uint64_t row : rows) {
      const PartitionView& view = input_.views[RowId::view(row)];
      if (!AccessLog::needs_unpacking(view, field))
        accesses_.read_row(view, field, RowId::row(row));
    }
  }

  // Of the compressed columns among the views'.
  void unpack_rows_of(std::size_t field, const RowIds& rows) {
    std::vector<const Column*> columns(input_.views.size(), nullptr);
    bool is_any = false;
    for (std::size_t v = 0; v < columns.size(); ++v) {
      if (!AccessLog::needs_unpacking(input_.views[v], field)) continue;
      columns[v] = input_.views[v].columns[field];
      is_any = true;
    }
    if (is_any) accesses_.count_unpacked(field, unpack_single_rows(columns, rows, pool_));
  }

  void store_null(ResultColumn& column) {
    if (column.type == QType::kSymbol) {
      // The empty symbol, whose code in the domain itself may be wider than the column's.
      std::memset(column.buffer.data(), 0, column.buffer.bytes());
      column.domain = std::make_shared<const Domain>(column.domain->name(),
                                                     std::vector<std::string_view>(), nullptr);
      return;
    }
    const Element null = null_element(column.type, nullptr);
    std::memcpy(column.buffer.data(), null.data(), column.width);
  }

  void add_output(std::size_t o, const RowIds& last_rows) {
    const Output& output = input_.plan.outputs[o];
    switch (output.aggregate) {
      case Aggregate::kNone:
      case Aggregate::kLast: return add_rows(output.name, *output.field, last_rows);
      case Aggregate::kFirst:
        return add_rows(output.name, *output.field, in_order(groups_.rows().first_rows()));
      default: break;
    }
    const QType type = output.field ? input_.schema().fields[*output.field].type : QType::kLong;
    table_.columns.push_back(groups_.finish(o, output, type, places_, pool_, memory_));
  }

  const QueryInput& input_;
  std::span<const KeyColumn> keys_;
  const GroupState& groups_;
  std::span<const std::uint32_t> order_;
  std::pmr::memory_resource& memory_;
  std::pmr::vector<std::uint32_t> places_;  // of the groups in this order
  bool is_partial_;
  ThreadPool* pool_;
  AccessLog& accesses_;
  ResultTable table_;
};

// Codes that a count distinct of the output's column may have; 0: any value.
std::uint64_t codes_of(const QueryInput& input, const Output& output) {
  const Schema& schema = input.schema();
  const bool counts_values = output.aggregate == Aggregate::kCountDistinct && output.field;
  // A partitioned table's first field is no column, but its partitions' values.
  if (!counts_values || (schema.partitioned && *output.field == 0)) return 0;
  return code_count(schema, input.views, *output.field);
}

}  // namespace

std::optional<FixedKey> fixed_key(const QueryInput& input, const Morsel& morsel) {
  if (!morsel.index_key) return std::nullopt;
  return FixedKey{input.index_field, *morsel.index_key};
}

void read_key_words(const GroupTask& task, const Morsel& morsel, const PartitionView& view,
                    RowRange rows, const std::uint64_t* bits, std::size_t count, std::byte* scratch,
                    std::span<std::uint64_t* const> words) {
  const auto fixed = fixed_key(task.input, morsel);
  for (const KeyColumn& key : task.keys) {
    if (fixed && fixed->field == key.field) {
      const auto word =
          static_cast<std::uint64_t>(fixed->value) - static_cast<std::uint64_t>(key.base);
      std::fill_n(words[key.first_word], count, word);
      continue;
    }
    stop_unless(key_words(task.input.schema(), view, key, rows, bits, count, scratch, words));
  }
}

void PieceReads::begin(const QueryInput& input, const Morsel& morsel, RowRange rows,
                       const std::uint64_t* bits) {
  selected_.reset(rows, bits);
  noted_.assign(input.schema().fields.size(), false);
  for (const Condition& condition : input.conditions(morsel))
    input.for_each_column(condition.field, [&](std::size_t column) { noted_[column] = true; });
}

void PieceReads::note(const PartitionView& view, std::size_t field, AccessLog& accesses) {
  if (noted_[field]) return;
  noted_[field] = true;
  if (!view.is_computed(field)) return accesses.read(view, field, selected_);
  for (const std::size_t input : view.computed->inputs(field)) note(view, input, accesses);
}

void PieceReads::make(const PartitionView& view, std::size_t field, AccessLog& accesses) {
  const bool is_new = !noted_[field] && view.is_computed(field);
  note(view, field, accesses);
  if (is_new) stop_unless(view.computed->make(field, selected_.rows(), selected_.bits()));
}

void PieceReads::make_key(const PartitionView& view, std::size_t field, AccessLog& accesses) {
  const Column* const column = view.columns[field];
  if (column == nullptr || !column->is_packed()) return make(view, field, accesses);
  Selected all(selected_.rows());
  accesses.read(view, field, all);
  noted_[field] = true;
}

GroupState::GroupState(const GroupTask& task, std::span<const std::uint64_t> cardinalities,
                       std::pmr::memory_resource& resource)
    : GroupAggregates(task.needs, resource),
      task_(task),
      resource_(resource),
      index_(cardinalities, resource),
      places_(&resource) {}

void GroupState::make_aggregators(bool by_slot) {
  const QueryInput& input = task_.input;
  const bool may_select =
      by_slot && !task_.is_partial && index_.slot_count() <= kSelectedMedianGroupsMax;
  for (std::size_t o = 0; o < input.plan.outputs.size(); ++o) {
    const Output& output = input.plan.outputs[o];
    const auto type_of = [&](const std::optional<std::size_t>& field) {
      return field ? input.schema().fields[*field].type : QType::kLong;
    };
    // Of a computed field no range of values is known.
    const bool is_plain = !output.field || *output.field < input.first_computed();
    add(make_aggregator(output.aggregate, type_of(output.field), type_of(output.weights), resource_,
                        codes_of(input, output),
                        may_select && is_plain ? &task_.ranges[o] : nullptr));
  }
}

void GroupState::settle() {
  const std::span<const std::uint64_t> counts = rows().counts();
  for (std::uint32_t slot = 0; slot < counts.size(); ++slot) {
    if (counts[slot] == 0 && !task_.keys.empty()) continue;
    index_.group_of_slot(slot);
    places_.push_back(slot);
  }
}

bool is_distinct(const TablePlan& plan) {
  return !plan.outputs.empty() && plan.outputs.front().aggregate == Aggregate::kFirstRow;
}

bool is_key_of_a_row(QType type) { return type == QType::kNested || is_floating(type); }

ResultTable make_group_result(const GroupTask& task, const GroupState& groups,
                              std::span<const std::uint32_t> order, ThreadPool* pool,
                              AccessLog& accesses) {
  return GroupResult(task, groups, order, pool, accesses).make();
}

}  // namespace hdbench
