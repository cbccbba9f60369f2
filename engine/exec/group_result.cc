#include "engine/exec/group_result.h"

#include <cstring>
#include <string>

#include "engine/exec/computed_columns.h"
#include "engine/operator/gather.h"
#include "engine/shaping/null_element.h"

namespace hdbench {
namespace {

using Order = std::pmr::vector<std::uint32_t>;

class GroupResult {
 public:
  // `order`: of groups.
  GroupResult(const GroupTask& task, const GroupState& groups, std::span<const std::uint32_t> order,
              ThreadPool* pool, Workspace& workspace, AccessLog& accesses)
      : input_(task.input),
        keys_(task.keys),
        groups_(groups),
        order_(order),
        places_(order.size(), &workspace),
        pool_(pool),
        workspace_(workspace),
        accesses_(accesses) {
    for (std::size_t i = 0; i < order.size(); ++i) places_[i] = groups.place(order[i]);
  }

  ResultTable make() {
    table_.rows = order_.size();
    table_.key_count = input_.plan->is_exec ? 0 : input_.plan->by.size();
    const auto last_rows = in_order(groups_.rows().last_rows());
    // Of equal rows the first is shown: its zeros may have another sign than the last one's.
    const bool shows_first = is_distinct(*input_.plan);
    const RowIds first_rows =
        shows_first ? in_order(groups_.rows().first_rows()) : RowIds(&workspace_);
    for (std::size_t k = 0; k < keys_.size(); ++k) add_key(k, shows_first ? first_rows : last_rows);
    for (std::size_t o = 0; o < input_.plan->outputs.size(); ++o) add_output(o, last_rows);
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

  void add_key(std::size_t k, const RowIds& shown_rows) {
    const KeyColumn& key = keys_[k];
    const std::string& name = input_.plan->by[k].name;
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
        {name, type, width, Buffer(workspace_, table_.rows * width), std::move(domain)});
    return table_.columns.back();
  }

  void add_rows(const std::string& name, std::size_t field, const RowIds& rows) {
    const Field& source = input_.schema().fields[field];
    const std::uint32_t width = result_width(source, input_.views, field);
    ResultColumn& column = add_column(name, source.type, width, source.domain);
    // Aggregates over no rows at all: the one group has no first or last row, q gives the null.
    if (input_.plan->by.empty() && groups_.rows().counts()[0] == 0) return store_null(column);
    input_.for_each_column(field, [&](std::size_t read) { note_rows(read, rows); });
    stop_unless(gather_field_rows(input_, field, rows, width, column.buffer.data(), workspace_));
  }

  void note_rows(std::size_t field, const RowIds& rows) {
    if (!accesses_.has_meter() && input_.views.size() == 1) {
      return accesses_.count_rows(input_.views.front(), field, rows.size());
    }
    for (const std::uint64_t row : rows)
      accesses_.read_row(input_.views[RowId::view(row)], field, RowId::row(row));
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

  void add_numbers(const std::string& name, std::span<const std::uint64_t> by_place) {
    ResultColumn& column = add_column(name, QType::kLong, 8, nullptr);
    const RowIds numbers = in_order(by_place);
    if (!numbers.empty())
      std::memcpy(column.buffer.data(), numbers.data(), numbers.size() * sizeof(numbers[0]));
  }

  void add_output(std::size_t o, const RowIds& last_rows) {
    const Output& output = input_.plan->outputs[o];
    switch (output.aggregate) {
      case Aggregate::kNone:
      case Aggregate::kLast: return add_rows(output.name, *output.field, last_rows);
      case Aggregate::kFirst:
        return add_rows(output.name, *output.field, in_order(groups_.rows().first_rows()));
      case Aggregate::kCount: return add_numbers(output.name, groups_.rows().counts());
      case Aggregate::kFirstRow: return add_numbers(output.name, groups_.rows().first_rows());
      default: break;
    }
    const QType type = aggregate_type(output.aggregate, input_.schema().fields[*output.field].type);
    ResultColumn& column = add_column(output.name, type, type_width(type), nullptr);
    finish_groups(*groups_.aggregators()[o], places_, groups_.rows().counts(), column.width,
                  column.buffer.data(), pool_);
    column.wrapped = groups_.aggregators()[o]->wrapped();
    // Of no rows the least of booleans is none.
    if (type == QType::kBoolean && output.aggregate == Aggregate::kAll) {
      for (std::uint64_t row = 0; row < table_.rows; ++row)
        column.buffer.data()[row] &= std::byte{1};
    }
  }

  const QueryInput& input_;
  std::span<const KeyColumn> keys_;
  const GroupState& groups_;
  std::span<const std::uint32_t> order_;
  Order places_;  // of the groups in this order
  ThreadPool* pool_;
  Workspace& workspace_;
  AccessLog& accesses_;
  ResultTable table_;
};

}  // namespace

bool is_distinct(const Plan& plan) {
  return !plan.outputs.empty() && plan.outputs.front().aggregate == Aggregate::kFirstRow;
}

bool is_key_of_a_row(QType type) { return type == QType::kNested || is_floating(type); }

ResultTable make_group_result(const GroupTask& task, const GroupState& groups,
                              std::span<const std::uint32_t> order, ThreadPool* pool,
                              Workspace& workspace, AccessLog& accesses) {
  return GroupResult(task, groups, order, pool, workspace, accesses).make();
}

}  // namespace hdbench
