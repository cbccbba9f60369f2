#include "engine/exec/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "engine/base/printable_text.h"
#include "engine/exec/query_input.h"
#include "engine/operator/access_path.h"

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
    for (std::size_t c = 0; c < plan_.where.size(); ++c) told_.steps.push_back(step_of(c));
    add_columns();
    for (const Field& field : table_.schema().fields) {
      if (field.unreadable) add_unreadable(field.name, *field.unreadable);
    }
    return std::move(told_);
  }

 private:
  void add_unreadable(const std::string& name, const Error& error) {
    const std::string line =
        name.empty() ? error.message : fmt::format("{}: {}", name, error.message);
    std::vector<std::string>& lines = told_.unreadable;
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  }

  void fail(const std::string& name, const Error& error) {
    if (!told_.error) told_.error = error;
    add_unreadable(name, error);
  }

  // Parts that cannot be read are told here, and left out of what follows.
  void count_rows() {
    told_.parts_total = table_.part_count();
    told_.parts_scanned = parts_.size();
    std::erase_if(parts_, [&](std::size_t part) {
      const Result<std::uint64_t> rows = table_.rows(part);
      if (rows.ok()) told_.rows_scanned += *rows;
      if (!rows.ok()) fail("", rows.error());
      return !rows.ok();
    });
  }

  // One is looked at at a time: where maps run out, those before are let go.
  Result<const Column*> column_of(std::size_t part, std::size_t field) const {
    Result<const Column*> column = table_.column(part, field);
    if (column.ok() || !table_.release_columns()) return column;
    return table_.column(part, field);
  }

  // Uses the index when every part's column can; a part without one would be scanned.
  Explanation::Step step_of(std::size_t c) const {
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
      const Result<const Column*> read = column_of(part, condition.field);
      if (!read.ok()) continue;  // add_columns() tells it
      const Column& column = **read;
      if (candidate && (column.rows == 0 || can_use_index(condition, column))) {
        ++indexed;
      } else {
        step.bytes += column.bytes();
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
        if (mapped.ok()) column.bytes += (*mapped)->bytes();
        if (!mapped.ok() && !error) error = mapped.error();
      }
      if (error) fail(name, *error);
      told_.columns.push_back(std::move(column));
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
  Explanation told_;
};

}  // namespace

Explanation explain(const Table& table, const Plan& plan, const ExecuteSettings& settings) {
  return Explainer(table, plan, settings).run();
}

std::string to_text(const Explanation& explanation) {
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

}  // namespace hdbench
