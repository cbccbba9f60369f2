#include "engine/exec/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/base/printable_text.h"
#include "engine/exec/query_input.h"
#include "engine/expression/evaluator.h"
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

// The columns that a field is, or is computed of.
std::vector<std::size_t> columns_behind(const Schema& schema, const Plan& plan, std::size_t field) {
  if (field < schema.fields.size()) return {field};
  auto fields = fields_of(plan.computed[field - schema.fields.size()].expression);
  std::erase_if(fields, [&](std::size_t input) { return schema.partitioned && input == 0; });
  return fields;
}

// Uses the index when every part's column can; a part without one would be scanned.
Result<Explanation::Step> step_of(const Table& table, const Plan& plan, std::size_t c,
                                  const std::vector<std::size_t>& parts,
                                  const ExecuteSettings& settings) {
  const Schema& schema = table.schema();
  const Condition& condition = plan.where[c];
  Explanation::Step step{condition.text, Explanation::Step::How::kScan, "", 0};
  if (prunes_partitions(plan, c, schema.partitioned)) {
    step.how = Explanation::Step::How::kPrune;
    return step;
  }
  const std::string& partition = schema.fields[0].name;
  if (schema.partitioned && condition.field == 0) {
    step.note = c == 0 ? fmt::format("negated: prunes no {}", partition)
                       : fmt::format("not the first condition: prunes no {}", partition);
    return step;
  }
  const bool candidate = settings.use_index && index_candidate(plan, schema) == c;
  std::uint64_t indexed = 0;
  for (const std::size_t part : parts) {
    for (const std::size_t field : columns_behind(schema, plan, condition.field)) {
      HDB_ASSIGN(const Column* column, table.column(part, field));
      if (candidate && (column->rows == 0 || can_use_index(condition, *column))) {
        ++indexed;
      } else {
        step.bytes += column->bytes();
      }
    }
  }
  if (candidate && indexed == parts.size() && !parts.empty())
    step.how = Explanation::Step::How::kIndex;
  if (candidate && indexed != 0 && indexed != parts.size()) {
    step.note = fmt::format("index in {} of {} partitions", indexed, parts.size());
  }
  return step;
}

}  // namespace

Result<Explanation> explain(const Table& table, const Plan& plan, const ExecuteSettings& settings) {
  const Schema& schema = table.schema();
  const std::vector<std::size_t> parts = parts_left(table, plan);
  const std::vector<bool> needed = fields_read(schema, plan);
  Explanation explanation;
  explanation.parts_total = table.part_count();
  explanation.parts_scanned = parts.size();
  for (const std::size_t part : parts) {
    HDB_ASSIGN(const std::uint64_t rows, table.rows(part));
    explanation.rows_scanned += rows;
  }
  for (std::size_t c = 0; c < plan.where.size(); ++c) {
    HDB_ASSIGN(Explanation::Step step, step_of(table, plan, c, parts, settings));
    explanation.steps.push_back(std::move(step));
  }
  for (std::size_t field = 0; field < needed.size(); ++field) {
    if (!needed[field]) continue;
    Explanation::ColumnBytes column{schema.fields[field].name, 0};
    for (const std::size_t part : parts) {
      HDB_ASSIGN(const Column* mapped, table.column(part, field));
      column.bytes += mapped->bytes();
    }
    explanation.columns.push_back(std::move(column));
  }
  for (const ComputedField& field : plan.computed) {
    Explanation::Computed computed{field.text, {}};
    for (const std::size_t input : fields_of(field.expression))
      computed.columns.push_back(schema.fields[input].name);
    explanation.computed.push_back(std::move(computed));
  }
  for (const Field& field : schema.fields) {
    if (!field.unreadable) continue;
    explanation.unreadable.push_back(fmt::format("{}: {}", field.name, field.unreadable->message));
  }
  return explanation;
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

}  // namespace hdbench
