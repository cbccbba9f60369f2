#include "engine/exec/explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "engine/base/text.h"
#include "engine/exec/query_input.h"
#include "engine/expression/evaluator.h"
#include "engine/operator/filter.h"
#include "engine/shaping/result_schema.h"

namespace hdbench {
namespace {

std::string how_text(Explanation::Step::How how) {
  switch (how) {
    case Explanation::Step::How::kPrune: return "prune";
    case Explanation::Step::How::kIndex: return "index";
    case Explanation::Step::How::kScan: break;
  }
  return "scan";
}

class Explainer {
 public:
  Explainer(const Table& table, const Plan& plan, const ExecuteSettings& settings)
      : table_(table), plan_(plan), settings_(settings), parts_(parts_left(table, plan)) {}

  Explanation run() {
    count_rows();
    for (std::size_t c = 0; c < plan_.where.size(); ++c) found_.steps.push_back(step_of(c));
    add_columns();
    for (const auto& [name, error] : failed_steps_) fail(name, error);
    for (const ComputedField& field : plan_.computed) {
      Explanation::Computed computed{field.text, {}};
      for (const std::size_t input : fields_of(field.expression))
        computed.columns.push_back(table_.schema().fields[input].name);
      found_.computed.push_back(std::move(computed));
    }
    for (const Field& field : table_.schema().fields) {
      if (field.unreadable) add_unreadable(field.name, *field.unreadable);
    }
    return std::move(found_);
  }

 private:
  void add_unreadable(const std::string& name, const Error& error) {
    const std::string line =
        name.empty() ? error.message : fmt::format("{}: {}", name, error.message);
    std::vector<std::string>& lines = found_.unreadable;
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  }

  void fail(const std::string& name, const Error& error) {
    if (!found_.error) found_.error = error;
    add_unreadable(name, error);
  }

  // Parts that cannot be read are listed here, and left out of what follows.
  void count_rows() {
    found_.parts_total = table_.part_count();
    found_.parts_scanned = parts_.size();
    std::erase_if(parts_, [&](std::size_t part) {
      const Result<std::uint64_t> rows = table_.rows(part);
      if (rows.ok()) found_.rows_scanned += *rows;
      if (!rows.ok()) fail("", rows.error());
      return !rows.ok();
    });
  }

  // The columns that a field is, or is computed of.
  std::vector<std::size_t> columns_behind(std::size_t field) const {
    const Schema& schema = table_.schema();
    if (field < schema.fields.size()) return {field};
    auto fields = fields_of(plan_.computed[field - schema.fields.size()].expression);
    std::erase_if(fields, [&](std::size_t input) { return schema.partitioned && input == 0; });
    return fields;
  }

  // One is looked at at a time: where maps run out, those before are let go.
  Result<const Column*> column_of(std::size_t part, std::size_t field) const {
    Result<const Column*> column = table_.column(part, field);
    if (column.ok() || !table_.release_columns()) return column;
    return table_.column(part, field);
  }

  // Uses the index when every part's column can; a part without one would be scanned.
  Explanation::Step step_of(std::size_t c) {
    const Schema& schema = table_.schema();
    const Condition& condition = plan_.where[c];
    Explanation::Step step{condition.text, Explanation::Step::How::kScan, "", 0};
    if (prunes_partitions(plan_, c, schema.partitioned)) {
      step.how = Explanation::Step::How::kPrune;
      return step;
    }
    const std::string& partition = schema.fields[0].name;
    if (schema.partitioned && condition.field == 0) {
      step.note = c == 0 ? fmt::format("negated: prunes no {}", partition)
                         : fmt::format("not the first condition: prunes no {}", partition);
      return step;
    }
    const bool candidate = settings_.use_index && index_candidate(plan_, schema) == c;
    std::uint64_t indexed = 0;
    for (const std::size_t part : parts_) {
      for (const std::size_t field : columns_behind(condition.field)) {
        const Result<const Column*> read = column_of(part, field);
        if (!read.ok()) {
          failed_steps_.emplace_back(schema.fields[field].name, read.error());
          continue;
        }
        const Column& column = **read;
        if (candidate && (column.rows == 0 || can_use_index(condition, column))) {
          ++indexed;
        } else {
          step.bytes += column.stored_bytes();
        }
      }
    }
    if (candidate && indexed == parts_.size() && !parts_.empty())
      step.how = Explanation::Step::How::kIndex;
    if (candidate && indexed != 0 && indexed != parts_.size()) {
      step.note = fmt::format("index in {} of {} partitions", indexed, parts_.size());
    }
    return step;
  }

  void add_columns() {
    const Schema& schema = table_.schema();
    const std::vector<bool> needed = fields_read(schema, plan_);
    for (std::size_t field = 0; field < needed.size(); ++field) {
      const std::string& name = schema.fields[field].name;
      if (!needed[field] && is_named(field)) fail(name, *schema.fields[field].unreadable);
      if (!needed[field]) continue;
      Explanation::ColumnBytes column{name, 0};
      std::optional<Error> error;
      for (const std::size_t part : parts_) {
        const Result<const Column*> mapped = column_of(part, field);
        if (mapped.ok()) column.bytes += (*mapped)->stored_bytes();
        if (!mapped.ok() && !error) error = mapped.error();
      }
      if (error) fail(name, *error);
      found_.columns.push_back(std::move(column));
    }
  }

  // Whether a field that cannot be read is counted: no column of it is needed, and yet it is an
  // error.
  bool is_named(std::size_t field) const {
    return table_.schema().fields[field].unreadable &&
           std::any_of(plan_.outputs.begin(), plan_.outputs.end(),
                       [&](const Output& output) { return output.field == field; });
  }

  const Table& table_;
  const Plan& plan_;
  const ExecuteSettings& settings_;
  std::vector<std::size_t> parts_;
  Explanation found_;
  // Columns that the conditions' steps could not see: listed behind those that the plan reads, in
  // whose order a query meets them.
  std::vector<std::pair<std::string, Error>> failed_steps_;
};

// As the text has it: columns that a query makes for itself have a number behind an @.
std::string_view column_text(std::string_view column) {
  return column.substr(0, column.rfind(" @"));
}

std::string names_of(const Schema& schema, const std::vector<std::size_t>& columns) {
  std::vector<std::string_view> names;
  for (const std::size_t column : columns) names.push_back(column_text(schema.fields[column].name));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string source_line(const PlanSource& source) {
  const std::string keys = names_of(source.left.rows, source.left_keys);
  const std::string by = keys.empty() ? "" : " by " + keys;
  switch (source.kind) {
    case SourceKind::kRows: break;
    case SourceKind::kWindows: {
      std::vector<std::string_view> names;
      for (const Window& window : source.windows) names.push_back(column_text(window.name));
      const std::string segments = names_of(source.schema, source.windows.front().by);
      return fmt::format("make {}{}", fmt::join(names, ", "),
                         segments.empty() ? "" : ", anew by " + segments);
    }
    case SourceKind::kAsOf:
    case SourceKind::kAsOfTimes: return "join as of" + by;
    case SourceKind::kLeft: return (source.is_right_over_left ? "group, and join" : "join") + by;
    case SourceKind::kInner: return "join, matched rows alone" + by;
    case SourceKind::kWithout: return "keep rows without a match" + by;
    case SourceKind::kEach: return "join, every match" + by;
    case SourceKind::kAppend: return "append";
    case SourceKind::kBetween: return "aggregate within windows" + by;
    case SourceKind::kItems: return "rows of the lists' items";
  }
  return {};
}

// What a plan does with its rows, in the order in which it does it.
void add_plan_lines(const Plan& plan, std::vector<std::string>& lines) {
  if (plan.source != nullptr) {
    for (const Condition& condition : plan.where)
      lines.push_back(fmt::format("filter by {}", condition.text));
  }
  std::vector<std::string_view> keys;
  for (const GroupKey& key : plan.by) keys.push_back(key.name);
  if (!keys.empty()) lines.push_back(fmt::format("group by {}", fmt::join(keys, ", ")));
  if (plan.distinct) lines.push_back("keep different rows");
  if (plan.lists) lines.push_back(plan.lists->are_rows ? "rows by their keys" : "lists by key");
  if (plan.order) lines.push_back(plan.order->descending ? "sort, descending" : "sort");
  if (plan.pivot != Plan::Pivot::kNone) lines.push_back("last key to columns");
  if (plan.take) lines.push_back(fmt::format("take {} rows", plan.take->count));
}

void add_lines(const Plan& plan, std::vector<std::string>& lines) {
  if (plan.source != nullptr) {
    add_lines(*plan.source->left.plan, lines);
    if (plan.source->right.plan != nullptr && !plan.source->is_right_over_left)
      add_lines(*plan.source->right.plan, lines);
    const std::string line = source_line(*plan.source);
    if (!line.empty()) lines.push_back(line);
  }
  for (const ConditionQuery& query : plan.condition_queries) add_lines(*query.query.plan, lines);
  add_plan_lines(plan, lines);
}

Explanation explain_tree(const Table& table, const Plan& plan, const ExecuteSettings& settings) {
  Explanation all;
  for (const PlanLeaf& leaf : leaves_of(table, plan)) {
    Explanation of_leaf = Explainer(leaf.table, leaf.plan, settings).run();
    of_leaf.table = leaf.table.name();
    all.parts_total += of_leaf.parts_total;
    all.parts_scanned += of_leaf.parts_scanned;
    all.rows_scanned += of_leaf.rows_scanned;
    if (!all.error) all.error = of_leaf.error;
    all.leaves.push_back(std::move(of_leaf));
  }
  add_lines(plan, all.steps_above);
  return all;
}

std::string leaf_text(const Explanation& explanation) {
  std::string text = fmt::format("partitions  {} of {}, {} rows\n", explanation.parts_scanned,
                                 explanation.parts_total, explanation.rows_scanned);
  const auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < explanation.steps.size(); ++i) {
    const Explanation::Step& step = explanation.steps[i];
    fmt::format_to(out, "condition {}  {:<5}  {}", i + 1, how_text(step.how),
                   printable_line(step.condition));
    if (step.bytes != 0) fmt::format_to(out, "  ({} bytes)", step.bytes);
    if (!step.note.empty()) fmt::format_to(out, "  [{}]", step.note);
    text += '\n';
  }
  for (const Explanation::Computed& computed : explanation.computed) {
    fmt::format_to(out, "computed  {}  [{}]\n", printable_line(computed.text),
                   printable_line(fmt::format("{}", fmt::join(computed.columns, ", "))));
  }
  std::size_t width = 0;
  for (const auto& column : explanation.columns) {
    width = std::max(width, printable_line(column.column).size());
  }
  for (const auto& column : explanation.columns) {
    fmt::format_to(out, "column  {:<{}}  {:>14} bytes at most\n", printable_line(column.column),
                   width, column.bytes);
  }
  for (const std::string& line : explanation.unreadable) {
    fmt::format_to(out, "unreadable  {}\n", printable_line(line));
  }
  return text;
}

}  // namespace

Explanation explain(const Table& table, const Plan& plan, const ExecuteSettings& settings) {
  const bool is_tree = plan.source != nullptr || !plan.condition_queries.empty() || plan.order ||
                       plan.lists || plan.take || plan.distinct;
  return is_tree ? explain_tree(table, plan, settings) : Explainer(table, plan, settings).run();
}

std::string to_text(const Explanation& explanation) {
  if (explanation.leaves.empty()) return leaf_text(explanation);
  std::string text;
  for (const Explanation& leaf : explanation.leaves)
    text += fmt::format("table  {}\n{}", printable_line(leaf.table), leaf_text(leaf));
  for (std::size_t i = 0; i < explanation.steps_above.size(); ++i)
    text += fmt::format("then {}  {}\n", i + 1, printable_line(explanation.steps_above[i]));
  return text;
}

}  // namespace hdbench
