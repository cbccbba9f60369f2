#include "bench/kdb/kdb_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "engine/exec/query_input.h"
#include "engine/shaping/result_schema.h"

namespace hdbench::bench {
namespace {

// What a statement's own objects take, beside vectors: published figures have 416 to 560 bytes more
// than their blocks.
constexpr std::uint64_t kStatementBytes = 496;
constexpr std::uint64_t kRowNumberBytes = 8;
constexpr std::uint64_t kMaskBytes = 1;

constexpr std::array<std::pair<KdbVersion, std::string_view>, 4> kVersions = {
    {{KdbVersion::k28, "2.8"},
     {KdbVersion::k36, "3.6"},
     {KdbVersion::k40, "4.0"},
     {KdbVersion::k41, "4.1"}}};

// A list's cell is a pointer to a vector of its own, whose least block is this.
constexpr std::uint64_t kCellBytes = 8 + 32;

std::uint64_t width_of(QType type) {
  return type == QType::kNested ? kCellBytes : type_width(type);
}

bool is_number(QType type) { return type >= QType::kByte && type <= QType::kFloat; }

QType field_type(const Plan& plan, const Schema& schema, std::size_t field) {
  return field < schema.fields.size()
             ? schema.fields[field].type
             : plan.computed[field - schema.fields.size()].expression.type();
}

// Of what an output gives before results are made of it.
QType output_type(const Plan& plan, const Schema& schema, const Output& output) {
  switch (output.aggregate) {
    case Aggregate::kNone:
    case Aggregate::kMin:
    case Aggregate::kMax:
    case Aggregate::kFirst:
    case Aggregate::kLast: return field_type(plan, schema, *output.field);
    case Aggregate::kAny:
    case Aggregate::kAll: return QType::kBoolean;
    default: return QType::kLong;  // or a float, which is as wide
  }
}

bool is_by_partition(const Plan& plan) {
  return std::any_of(plan.by.begin(), plan.by.end(),
                     [](const GroupKey& key) { return key.field == 0; });
}

// The rows that conditions left of a part: all, or those of an index.
struct RowsLeft {
  std::uint64_t count = 0;
  KdbVector index;
};

using Vectors = std::vector<KdbVector>;

// Goes through the phrases of one plan over one part, as kdb+ evaluates them.
class PartModel {
 public:
  PartModel(const Plan& plan, const Schema& schema, const KdbSettings& settings, KdbHeap& heap)
      : plan_(plan), schema_(schema), settings_(settings), heap_(heap) {}

  RowsLeft filter(const KdbPartSteps& part) {
    RowsLeft left{part.rows, {}};
    for (std::size_t c = 0; c < plan_.where.size(); ++c) {
      if (prunes_partitions(plan_, c, schema_.partitioned)) {
        left.count = part.left[c];
        continue;
      }
      take_condition(plan_.where[c], part.left[c], left);
    }
    return left;
  }

  // The vectors of the select phrase, one an output, after those of the keys where they are shown.
  Vectors rows(const RowsLeft& left, bool with_keys = false) {
    Vectors columns;
    for (const GroupKey& key : plan_.by) {
      if (with_keys) columns.push_back(shown(key.field, left, key.name));
    }
    for (const Output& output : plan_.outputs)
      columns.push_back(shown(*output.field, left, output.name));
    return columns;
  }

  // Keys and results of the groups; without keys what is left is an atom.
  Vectors grouped(const RowsLeft& left, std::uint64_t groups) {
    Vectors columns;
    KdbVector row_numbers;
    if (!plan_.by.empty()) {
      row_numbers = group(plan_.by, left, groups, columns);
    } else {
      groups = 1;
    }
    for (const Output& output : plan_.outputs) {
      if (!output.field) {
        columns.push_back(heap_.vector(groups, kRowNumberBytes, "result " + output.name));
        continue;
      }
      const KdbVector weights = output.weights ? load(*output.weights, left) : KdbVector();
      // The last row of a group is taken by its number; values that are aggregated are gathered.
      const KdbVector values = plan_.last_rows ? KdbVector() : load(*output.field, left);
      const Vectors temporaries = temporaries_of(output.aggregate, left.count);
      columns.push_back(heap_.vector(groups, width_of(output_type(plan_, schema_, output)),
                                     "result " + output.name));
    }
    return columns;
  }

  // select distinct: the rows' columns, then the first of equal ones.
  Vectors different(const RowsLeft& left, std::uint64_t groups) {
    const Vectors all = rows(left);
    const KdbVector numbers = heap_.vector(left.count, kRowNumberBytes, "numbers of equal rows");
    Vectors columns;
    for (const Output& output : plan_.outputs) {
      columns.push_back(
          heap_.vector(groups, width_of(field_type(*output.field)), "result " + output.name));
    }
    return columns;
  }

 private:
  QType field_type(std::size_t field) const { return bench::field_type(plan_, schema_, field); }
  const std::string& field_name(std::size_t field) const {
    return field < schema_.fields.size() ? schema_.fields[field].name
                                         : plan_.computed[field - schema_.fields.size()].text;
  }
  bool is_virtual(std::size_t field) const { return schema_.partitioned && field == 0; }

  // Values of the rows left; nothing where the column itself serves, or one value a partition.
  KdbVector load(std::size_t field, const RowsLeft& left) {
    if (is_virtual(field)) return {};
    if (field >= schema_.fields.size()) return computed(field, left);
    if (!left.index) return {};
    return heap_.vector(left.count, width_of(field_type(field)), field_name(field));
  }

  // The same where the result shows it: of no rows chosen, the mapped column itself.
  KdbVector shown(std::size_t field, const RowsLeft& left, const std::string& name) {
    if (field >= schema_.fields.size()) return computed(field, left);
    if (!is_virtual(field) && !left.index) return {};
    return heap_.vector(left.count, width_of(field_type(field)), "result " + name);
  }

  KdbVector computed(std::size_t field, const RowsLeft& left) {
    const ComputedField& made = plan_.computed[field - schema_.fields.size()];
    return evaluate(made.expression, made.expression.nodes.size() - 1, made.text, left);
  }

  // The value of a node; nothing: an atom, or a column as it lies there. Arguments go when the
  // value is there, the right one being evaluated first.
  KdbVector evaluate(const Expression& expression, std::size_t place, const std::string& text,
                     const RowsLeft& left) {
    const ExpressionNode& node = expression.nodes[place];
    if (node.operation == Operation::kConstant) return {};
    if (node.operation == Operation::kField) return load(node.field, left);
    const std::size_t arguments = argument_count(node.operation);
    Vectors values;
    for (std::size_t a = arguments; a-- > 0;)
      values.push_back(evaluate(expression, node.arguments[a], text, left));
    // Numbers of different types are added without a pass that converts them.
    if (node.operation == Operation::kCast && is_number(node.type) &&
        is_number(expression.nodes[node.arguments[0]].type))
      return std::move(values[0]);
    if (arguments > 0 && is_atom(expression, place)) return {};
    return heap_.vector(left.count, width_of(node.type), text);
  }

  bool is_atom(const Expression& expression, std::size_t place) const {
    const ExpressionNode& node = expression.nodes[place];
    if (node.operation == Operation::kField) return is_virtual(node.field);
    if (node.operation == Operation::kRow) return false;
    for (std::size_t a = 0; a < argument_count(node.operation); ++a) {
      if (!is_atom(expression, node.arguments[a])) return false;
    }
    return true;
  }

  // Whether an attribute gives the rows without a look at the column.
  bool by_index(const Condition& condition, const RowsLeft& left) const {
    if (left.index || condition.negated || !settings_.use_index) return false;
    if (condition.field >= schema_.fields.size()) return false;
    const Attribute attribute = schema_.fields[condition.field].attribute;
    if (attribute == Attribute::kSorted) return true;
    const auto* range = std::get_if<RangeTest>(&condition.test);
    return attribute != Attribute::kNone && (range == nullptr || range->low == range->high);
  }

  static std::size_t values_of(const Test& test) {
    if (const auto* codes = std::get_if<CodeTest>(&test)) return codes->codes.size();
    if (const auto* set = std::get_if<SetTest>(&test)) return set->keys.size();
    if (const auto* guids = std::get_if<GuidTest>(&test)) return guids->values.size();
    return 1;
  }

  // A boolean a row.
  KdbVector mask(const Condition& condition, const RowsLeft& left) {
    if (condition.field >= schema_.fields.size()) return computed(condition.field, left);
    const KdbVector values = load(condition.field, left);
    const std::string what = "mask of " + condition.text;
    KdbVector found = heap_.vector(left.count, kMaskBytes, what);
    KdbVector looked_up;
    const bool is_symbol = field_type(condition.field) == QType::kSymbol;
    if (is_symbol && values_of(condition.test) > 1) {
      looked_up = heap_.vector(left.count, 4, "places of " + condition.text);
    } else if (is_symbol && settings_.version == KdbVersion::k28 &&
               condition.text.find('=') != std::string::npos) {
      looked_up = heap_.vector(left.count, 8, "symbols of " + condition.text);
    }
    if (!condition.negated) return found;
    return heap_.vector(left.count, kMaskBytes, what);
  }

  void take_condition(const Condition& condition, std::uint64_t rows, RowsLeft& left) {
    const std::string what = "row numbers of " + condition.text;
    KdbVector chosen = by_index(condition, left) ? KdbVector() : mask(condition, left);
    KdbVector numbers = heap_.vector(rows, kRowNumberBytes, what);
    chosen.release();
    // Numbers among the rows left become numbers of the part's rows.
    if (left.index) numbers = heap_.vector(rows, kRowNumberBytes, what);
    left.index = std::move(numbers);
    left.count = rows;
  }

  // Keys of the groups are put before the columns. Returns the numbers of the rows by group.
  KdbVector group(const std::vector<GroupKey>& keys, const RowsLeft& left, std::uint64_t groups,
                  Vectors& columns) {
    Vectors values;
    for (const GroupKey& key : keys) values.push_back(load(key.field, left));
    KdbVector numbers = heap_.vector(left.count, kRowNumberBytes, "row numbers by group");
    for (const GroupKey& key : keys)
      columns.push_back(heap_.vector(groups, width_of(field_type(key.field)), "key " + key.name));
    return numbers;
  }

  // Vectors as long as the values that an aggregate makes on its way.
  Vectors temporaries_of(Aggregate aggregate, std::uint64_t count) {
    std::size_t vectors = 0;
    switch (aggregate) {
      case Aggregate::kWavg:
      case Aggregate::kWsum:
      case Aggregate::kDev:
      case Aggregate::kVar:
      case Aggregate::kSampleVar:
      case Aggregate::kSampleDev:
      case Aggregate::kCountDistinct: vectors = 1; break;
      case Aggregate::kMed:
      case Aggregate::kCov:
      case Aggregate::kSampleCov:
      case Aggregate::kCor: vectors = 2; break;
      default: break;
    }
    Vectors made;
    for (std::size_t v = 0; v < vectors; ++v)
      made.push_back(heap_.vector(count, 8, "temporaries of an aggregate"));
    return made;
  }

  const Plan& plan_;
  const Schema& schema_;
  const KdbSettings& settings_;
  KdbHeap& heap_;
};

// A plan and those below it, on the heaps of a process.
class QueryModel {
 public:
  explicit QueryModel(const KdbSettings& settings)
      : settings_(settings), main_(settings.keeps_large) {
    for (std::size_t t = 0; t < settings.secondary_threads; ++t)
      secondary_.push_back(std::make_unique<KdbHeap>(settings.keeps_large));
  }

  KdbMemory run(const Table* table, const Plan& plan, const KdbSteps& steps) {
    main_.record(true);
    const KdbVector statement = main_.vector(kStatementBytes - 16, 1, "the statement's objects");
    Vectors held;
    if (settings_.in_memory && table != nullptr) hold_table(*table, held);
    const Vectors result = plan_result(table, plan, steps);
    return found(steps);
  }

 private:
  void hold_table(const Table& table, Vectors& held) {
    std::uint64_t rows = 0;
    for (std::size_t part = 0; part < table.part_count(); ++part)
      rows += table.rows(part).ok() ? *table.rows(part) : 0;
    for (const Field& field : table.schema().fields) {
      if (!field.unreadable) held.push_back(main_.vector(rows, width_of(field.type), "the table"));
    }
  }

  Vectors plan_result(const Table* table, const Plan& plan, const KdbSteps& steps) {
    Vectors below;
    for (std::size_t q = 0; q < plan.condition_queries.size(); ++q) {
      const PlanSide& side = plan.condition_queries[q].query;
      for (KdbVector& column : plan_result(side.table, *side.plan, *steps.condition_queries[q]))
        below.push_back(std::move(column));
    }
    Vectors source;
    if (plan.source != nullptr) source = source_rows(*plan.source, steps);
    const Schema& schema = plan.source != nullptr ? plan.source->schema : table->schema();
    Vectors result = over_parts(plan, schema, steps);
    return shaped(plan, schema, steps, std::move(result));
  }

  // Rows of all partitions are brought together before they are grouped, where groups are shown by
  // a row of theirs and may be of several partitions.
  static bool gathers_first(const Plan& plan, const Schema& schema) {
    return plan.last_rows && schema.partitioned && !is_by_partition(plan);
  }

  Vectors over_parts(const Plan& plan, const Schema& schema, const KdbSteps& steps) {
    const bool gathers = gathers_first(plan, schema) && steps.parts.size() > 1;
    std::vector<Vectors> pieces;
    for (std::size_t p = 0; p < steps.parts.size(); ++p) {
      const bool on_thread = schema.partitioned && !secondary_.empty();
      KdbHeap& heap = on_thread ? *secondary_[p % secondary_.size()] : main_;
      heap.record(p == 0);
      PartModel part(plan, schema, settings_, heap);
      const KdbPartSteps& counts = steps.parts[p];
      if (settings_.compressed && plan.source == nullptr) hold_unpacked(plan, schema, counts, heap);
      Vectors piece = one_part(plan, counts, gathers, part);
      // A thread's result is copied to the main one.
      if (on_thread)
        piece = vectors(plan, schema, piece_rows(plan, counts, gathers), "a partition's ");
      pieces.push_back(std::move(piece));
    }
    main_.record(true);
    if (pieces.size() == 1) return std::move(pieces[0]);
    std::uint64_t rows = 0;
    for (const KdbPartSteps& part : steps.parts) rows += piece_rows(plan, part, gathers);
    Vectors whole = vectors(plan, schema, rows, "all partitions' ");
    // Rows, and groups of several partitions, are grouped again.
    if (!gathers && (plan.by.empty() || !schema.partitioned || is_by_partition(plan))) return whole;
    pieces.clear();
    return regrouped(plan, schema, rows, steps.groups);
  }

  // Whole vectors of the columns that the query comes to: those of conditions while rows are left,
  // then the others.
  void hold_unpacked(const Plan& plan, const Schema& schema, const KdbPartSteps& counts,
                     KdbHeap& heap) {
    std::vector<bool> touched(schema.fields.size(), false);
    bool has_rows = counts.rows != 0;
    for (std::size_t c = 0; c < plan.where.size() && has_rows; ++c) {
      TablePlan condition(plan);
      condition.where = std::span(plan.where).subspan(c, 1);
      condition.by = {};
      condition.outputs = {};
      const std::vector<bool> read = fields_read(schema, condition);
      for (std::size_t field = 0; field < read.size(); ++field)
        touched[field] = touched[field] || read[field];
      has_rows = counts.left[c] != 0;
    }
    if (has_rows) touched = fields_read(schema, TablePlan(plan));
    for (std::size_t field = 0; field < touched.size(); ++field) {
      if (!touched[field]) continue;
      unpacked_.push_back(heap.vector(counts.rows, width_of(schema.fields[field].type),
                                      "unpacked " + schema.fields[field].name));
    }
  }

  static Vectors one_part(const Plan& plan, const KdbPartSteps& counts, bool gathers,
                          PartModel& part) {
    const RowsLeft left = part.filter(counts);
    if (plan.distinct) return part.different(left, counts.groups);
    if (gathers || (plan.by.empty() && !plan.aggregates())) return part.rows(left, gathers);
    return part.grouped(left, counts.groups);
  }

  static std::uint64_t piece_rows(const Plan& plan, const KdbPartSteps& counts, bool gathers) {
    if (gathers) return counts.found();
    if (plan.distinct || !plan.by.empty()) return counts.groups;
    return plan.aggregates() ? 1 : counts.found();
  }
  Vectors vectors(const Plan& plan, const Schema& schema, std::uint64_t rows,
                  const std::string& of) {
    Vectors made;
    for (const GroupKey& key : plan.by) {
      made.push_back(
          main_.vector(rows, width_of(field_type(plan, schema, key.field)), of + key.name));
    }
    for (const Output& output : plan.outputs) {
      made.push_back(
          main_.vector(rows, width_of(output_type(plan, schema, output)), of + output.name));
    }
    return made;
  }

  Vectors regrouped(const Plan& plan, const Schema& schema, std::uint64_t rows,
                    std::uint64_t groups) {
    const KdbVector numbers = main_.vector(rows, kRowNumberBytes, "row numbers by group");
    return vectors(plan, schema, groups, "result ");
  }

  Vectors schema_vectors(const Schema& schema, std::size_t first, std::uint64_t rows,
                         const std::string& of) {
    Vectors made;
    for (std::size_t f = first; f < schema.fields.size(); ++f) {
      made.push_back(
          main_.vector(rows, width_of(schema.fields[f].type), of + schema.fields[f].name));
    }
    return made;
  }

  Vectors source_rows(const PlanSource& source, const KdbSteps& steps) {
    Vectors left = plan_result(source.left.table, *source.left.plan, *steps.left);
    const std::uint64_t rows = steps.left->rows;
    switch (source.kind) {
      case SourceKind::kRows: return left;
      case SourceKind::kWindows: {
        const KdbVector numbers = main_.vector(rows, kRowNumberBytes, "row numbers by group");
        for (KdbVector& made :
             schema_vectors(source.schema, source.left.rows.fields.size(), rows, "window "))
          left.push_back(std::move(made));
        return left;
      }
      default: break;
    }
    Vectors right;
    const std::uint64_t right_rows = steps.right != nullptr ? steps.right->rows : rows;
    if (steps.right != nullptr)
      right = plan_result(source.right.table, *source.right.plan, *steps.right);
    const KdbVector by_key = main_.vector(right_rows, kRowNumberBytes, "rows by key, right side");
    const KdbVector matches = main_.vector(rows, kRowNumberBytes, "matches, left side");
    const bool is_inner = source.kind == SourceKind::kInner;
    const std::uint64_t made_rows = steps.parts.front().rows;
    for (std::size_t c = 0; c < source.columns.size(); ++c) {
      // Columns of the left side are shared where all of its rows stay.
      if (!source.columns[c].is_right && !is_inner) continue;
      const Field& field = source.schema.fields[c];
      left.push_back(main_.vector(made_rows, width_of(field.type), "joined " + field.name));
    }
    return left;
  }

  // Results made of aggregates, order, take, lists.
  Vectors shaped(const Plan& plan, const Schema& schema, const KdbSteps& steps, Vectors result) {
    const bool is_grouped = plan.aggregates() || !plan.by.empty() || plan.distinct;
    const std::uint64_t rows =
        is_grouped ? std::max<std::uint64_t>(1, steps.groups) : steps.found();
    for (const ResultExpression& made : plan.results)
      result.push_back(main_.vector(rows, width_of(made.expression.type()), "result " + made.name));
    if (plan.order || plan.take) {
      KdbVector order;
      if (plan.order) order = main_.vector(rows, kRowNumberBytes, "order of the rows");
      const Schema shown = result_schema(plan, schema);
      const Vectors all = std::move(result);
      Vectors taken = schema_vectors(shown, 0, steps.rows, "in order ");
      return taken;
    }
    if (plan.lists) {
      const KdbVector numbers = main_.vector(rows, kRowNumberBytes, "row numbers by group");
      const std::uint64_t groups = std::max<std::uint64_t>(1, steps.rows);
      for (const ListColumn& column : plan.lists->columns) {
        if (!column.is_list) continue;
        result.push_back(main_.vector(groups, 8, "lists"));
        for (std::uint64_t g = 0; g < std::min<std::uint64_t>(groups, kListsCounted); ++g)
          result.push_back(main_.vector(rows / groups, 8, "items of lists"));
      }
    }
    return result;
  }
  // Lists of one column that are counted one by one, all of the mean length.
  static constexpr std::uint64_t kListsCounted = 1'000'000;

  KdbMemory found(const KdbSteps& steps) const {
    KdbMemory memory;
    memory.parts = steps.parts.size();
    memory.main = main_.peaks();
    memory.held = main_.held_at_peak();
    memory.events = main_.events();
    memory.peaks = memory.main;
    const KdbHeap* largest = nullptr;
    for (const auto& heap : secondary_) {
      if (largest == nullptr || heap->peaks().used > largest->peaks().used) largest = heap.get();
      const KdbPeaks& peaks = heap->peaks();
      const std::uint64_t least = std::max(kKdbSlabBytes, peaks.least_limit);
      memory.peaks.used += peaks.used;
      memory.peaks.heap += std::max(kKdbSlabBytes, peaks.heap);
      if (settings_.version >= KdbVersion::k40)
        memory.peaks.least_limit += least;
      else
        memory.peaks.least_limit = std::max(memory.peaks.least_limit, least);
    }
    if (largest == nullptr) return memory;
    memory.secondary = largest->peaks();
    for (KdbHolding& holding : largest->held_at_peak())
      memory.held.push_back({"on a thread: " + holding.what, holding.blocks, holding.bytes});
    // The first partition is the first thread's.
    const std::vector<KdbEvent>& first = secondary_.front()->events();
    memory.events.insert(memory.events.begin(), first.begin(), first.end());
    return memory;
  }

  const KdbSettings settings_;
  KdbHeap main_;
  std::vector<std::unique_ptr<KdbHeap>> secondary_;
  Vectors unpacked_;  // until the query ends: before the heaps
};

bool reads_compressed_columns(const Table* table, const Plan& plan) {
  if (table == nullptr) return false;
  for (const PlanLeaf& leaf : leaves_of(*table, plan)) {
    const std::vector<bool> read = fields_read(leaf.table.schema(), leaf.plan);
    const std::vector<std::size_t> parts = parts_left(leaf.table, leaf.plan);
    for (std::size_t field = 0; field < read.size() && !parts.empty(); ++field) {
      if (!read[field]) continue;
      const auto column = leaf.table.column(parts.front(), field);
      if (column.ok() && (*column)->is_packed()) return true;
    }
  }
  return false;
}

}  // namespace

Result<KdbVersion> parse_kdb_version(std::string_view flag, std::string_view text) {
  std::string known;
  for (const auto& [version, name] : kVersions) {
    if (name == text) return version;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  return usage_error(
      fmt::format("{}: unknown version '{}', expected one of {}", flag, text, known));
}

std::string_view word(KdbVersion version) {
  return kVersions[static_cast<std::size_t>(version)].second;
}

std::uint64_t KdbMemory::least_w_mib() const {
  constexpr std::uint64_t kMib = std::uint64_t{1} << 20;
  return (peaks.least_limit + kMib - 1) / kMib;
}

KdbMemory kdb_memory(const Table* table, const Plan& plan, const KdbSteps& steps,
                     const KdbSettings& settings) {
  KdbSettings of_table = settings;
  of_table.compressed =
      settings.compressed || (!settings.as_plain && reads_compressed_columns(table, plan));
  return QueryModel(of_table).run(table, plan, steps);
}

KdbServer kdb_server(const std::vector<KdbMemory>& queries, std::uint64_t processes,
                     std::size_t secondary_threads, std::uint64_t mapped_bytes) {
  KdbServer server{processes, kKdbSlabBytes * (1 + secondary_threads), mapped_bytes};
  for (const KdbMemory& memory : queries)
    server.process_bytes = std::max(server.process_bytes, memory.peaks.heap);
  return server;
}

std::uint64_t kdb_table_bytes(const Schema& schema, std::uint64_t rows) {
  std::uint64_t bytes = 0;
  for (const Field& field : schema.fields) bytes += kdb_block_bytes(rows * width_of(field.type));
  return bytes;
}

}  // namespace hdbench::bench
