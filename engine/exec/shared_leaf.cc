#include "engine/exec/shared_leaf.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/stopwatch.h"
#include "engine/exec/group_state.h"
#include "engine/exec/query_error.h"
#include "engine/exec/rank_tables.h"
#include "engine/exec/run_plan.h"
#include "engine/operator/gather.h"
#include "engine/shaping/result_schema.h"
#include "engine/shaping/row_keys.h"
#include "engine/shaping/row_order.h"

namespace hdbench {
namespace {

// What rank 0 tells the others: to run a leaf; to send what comes next of it (its head, then a
// column each time); that no leaf comes any more. What is not asked for is dropped, so that rank 0
// may fail wherever it allocates.
enum class Order : std::uint8_t { kLeaf, kSend, kEnd };

void put_test(ByteSink& out, const Test& test) {
  out.put(static_cast<std::uint8_t>(test.index()));
  if (const auto* range = std::get_if<RangeTest>(&test)) out.put(*range);
  if (const auto* set = std::get_if<SetTest>(&test)) out.put_all(set->keys);
  if (const auto* codes = std::get_if<CodeTest>(&test)) {
    out.put_all(codes->member);
    out.put_all(codes->codes);
  }
  if (const auto* guids = std::get_if<GuidTest>(&test)) out.put_all(guids->values);
  if (const auto* like = std::get_if<LikeTest>(&test)) out.put_text(like->pattern);
}

Test take_test(ByteSource& in) {
  switch (in.take<std::uint8_t>()) {
    case 0: return in.take<RangeTest>();
    case 1: return SetTest{in.take_all<std::int64_t>()};
    case 2: {
      CodeTest codes;
      codes.member = in.take_all<std::uint8_t>();
      codes.codes = in.take_all<std::uint64_t>();
      return codes;
    }
    case 3: return GuidTest{in.take_all<std::array<std::uint8_t, 16>>()};
    default: return LikeTest{in.take_text()};
  }
}

// Columns of so many bytes go with the head: each ask of its own takes a round trip.
constexpr std::uint64_t kWithHead = std::uint64_t{1} << 20;

constexpr std::uint64_t ExecuteStats::* kCounted[] = {
    &ExecuteStats::parts_total, &ExecuteStats::parts_scanned, &ExecuteStats::rows_in,
    &ExecuteStats::bytes_read, &ExecuteStats::bytes_written};

// What a leaf over this table read, which is not counted here any more.
void put_stats(ByteSink& out, const Table& table, ExecuteStats& stats) {
  for (const auto counted : kCounted) out.put(stats.*counted);
  const auto reads = std::ranges::find(stats.reads, &table, &TableReads::table);
  out.put_all(reads == stats.reads.end() ? std::vector<std::uint64_t>() : reads->bytes_by_field);
  const RankTimes rank = stats.rank;
  stats = {};
  stats.rank = rank;
}

void add_sent_stats(ByteSource& in, const Table& table, ExecuteStats& stats) {
  for (const auto counted : kCounted) stats.*counted += in.take<std::uint64_t>();
  const auto bytes_by_field = in.take_all<std::uint64_t>();
  const auto reads = std::ranges::find(stats.reads, &table, &TableReads::table);
  if (reads == stats.reads.end()) {
    stats.reads.push_back({&table, bytes_by_field});
    return;
  }
  for (std::size_t field = 0; field < bytes_by_field.size(); ++field)
    reads->bytes_by_field.at(field) += bytes_by_field[field];
}

}  // namespace

DistinctPlan::DistinctPlan(const TablePlan& rows) : plan(rows) {
  for (const Output& output : rows.outputs) columns.push_back({output.name, *output.field});
  plan.by = columns;
  plan.outputs = {&first_row, 1};
}

struct SharedRun::Partial {
  explicit Partial(std::pmr::memory_resource& memory) : groups(memory) {}

  std::vector<std::int64_t> partitions;     // by view
  std::vector<std::uint64_t> rows_by_view;  // of plans of rows
  PartialGroups groups;                     // of plans of rows the table alone
  // As rank 0 receives another rank's.
  Buffer head;
  Bytes states;  // within the head
  SentTable sent;
};

// What a rank sends, made before it says that it is there.
struct SharedRun::Parcel {
  ResultTable table;
  std::vector<Buffer> lists;  // by column: what its lists hold
  ByteSink head;
  bool has_columns = false;              // the head
  std::optional<std::size_t> next = {};  // column; nothing: the head
};

SharedRun::SharedRun(const Table& table, const Plan& plan, QueryContext& context, RunLeaf run_leaf)
    : table_(table),
      plan_(plan),
      context_(context),
      ranks_(*context.settings.ranks),
      run_leaf_(std::move(run_leaf)) {}

SharedRun::Partial SharedRun::make_partial(const SharedLeaf& leaf, const TablePlan& plan) {
  const Stopwatch watch(context_.stats.rank.map_ms);
  for (;;) {
    Partial partial(context_.memory);
    const auto run = [&](const QueryInput& input, std::span<AccessLog> accesses) {
      for (const PartitionView& view : input.views)
        partial.partitions.push_back(view.partition_value);
      if (plan.by.empty() && !plan.aggregates())
        return run_select(input, accesses, RowsAre::kCopied, &partial.rows_by_view);
      partial.groups = run_partial_group(input, accesses);
      return std::move(partial.groups.table);
    };
    const auto made = [&]() -> Result<ResultTable> {
      try {
        return run_leaf_(leaf.table, plan, run);
      } catch (const QueryStop& stop) {
        return stop.error;
      }
    };
    Result<ResultTable> table = made();
    if (table.ok()) {
      partial.groups.table = std::move(*table);
      return partial;
    }
    // As execute() does for one process.
    if (!leaf.table.mend_codes(table.error().subject)) throw QueryStop{table.error()};
  }
}

SharedRun::Parcel SharedRun::packed(const Table& table_read, Partial partial) {
  Parcel parcel{{}, {}, ByteSink(context_.memory)};
  const PartialGroups& groups = partial.groups;
  const ResultTable& table = groups.table;
  parcel.head.put_all(partial.partitions);
  parcel.head.put_all(partial.rows_by_view);
  put_stats(parcel.head, table_read, context_.stats);
  parcel.head.put(table.rows);
  std::uint64_t bytes = 0;
  for (const ResultColumn& column : table.columns) {
    parcel.lists.push_back(items_of_lists(column, table.rows, context_.memory));
    const Buffer& items = parcel.lists.back();
    parcel.head.put(column.width);
    parcel.head.put(static_cast<std::uint64_t>(items.bytes()));
    bytes += column.buffer.bytes() + items.bytes();
  }
  parcel.head.put_all(groups.counts);
  parcel.head.put_all(groups.first_rows);
  parcel.head.put_all(groups.last_rows);
  parcel.head.put_all(groups.states.bytes());
  parcel.has_columns = bytes <= kWithHead;
  parcel.head.put(parcel.has_columns);
  for (std::size_t c = 0; parcel.has_columns && c < table.columns.size(); ++c) {
    const Buffer& elements = table.columns[c].buffer;
    parcel.head.put_bytes({elements.data(), elements.bytes()});
    parcel.head.put_bytes({parcel.lists[c].data(), parcel.lists[c].bytes()});
  }
  parcel.table = std::move(partial.groups.table);
  return parcel;
}

void SharedRun::send_next(Parcel& parcel) {
  const Stopwatch watch(context_.stats.rank.transfer_ms);
  if (!parcel.next) {
    ranks_.send(parcel.head.bytes());
    parcel.next = 0;
    return;
  }
  if (parcel.has_columns) return;
  const std::size_t c = (*parcel.next)++;
  ResultColumn& column = parcel.table.columns[c];
  ranks_.send({column.buffer.data(), column.buffer.bytes()});
  if (column.type == QType::kNested) ranks_.send({parcel.lists[c].data(), parcel.lists[c].bytes()});
  column.buffer = {};
  parcel.lists[c] = {};
}

namespace {

void tell_order(Ranks& ranks, Order order) { ranks.tell(std::as_bytes(std::span(&order, 1))); }

}  // namespace

// No message is under way while memory is taken, which may fail.
void SharedRun::receive_heads(const Table& table, const Ranks::Answers& sizes,
                              std::vector<Partial>& partials) {
  for (std::size_t from = 1; from < sizes.size(); ++from) {
    Partial& partial = partials.emplace_back(context_.memory);
    const auto size = ByteSource(sizes[from]).take<std::uint64_t>();
    partial.head = Buffer(context_.memory, static_cast<std::size_t>(size));
  }
  {
    const Stopwatch watch(context_.stats.rank.transfer_ms);
    tell_order(ranks_, Order::kSend);
    for (std::size_t from = 1; from < sizes.size(); ++from)
      ranks_.receive(from, {partials[from].head.data(), partials[from].head.bytes()});
  }
  for (std::size_t from = 1; from < sizes.size(); ++from)
    take_head(from, table, partials.front(), partials[from]);
}

void SharedRun::take_head(std::size_t from, const Table& table, const Partial& own,
                          Partial& partial) {
  ByteSource in({partial.head.data(), partial.head.bytes()});
  partial.partitions = in.take_all<std::int64_t>();
  partial.rows_by_view = in.take_all<std::uint64_t>();
  add_sent_stats(in, table, context_.stats);
  partial.sent.rows = in.take<std::uint64_t>();
  for (std::size_t c = 0; c < own.groups.table.columns.size(); ++c) {
    partial.sent.widths.push_back(in.take<std::uint32_t>());
    partial.sent.list_bytes.push_back(in.take<std::uint64_t>());
  }
  in.take_all_into(partial.groups.counts);
  in.take_all_into(partial.groups.first_rows);
  in.take_all_into(partial.groups.last_rows);
  partial.states = in.take_bytes(static_cast<std::size_t>(in.take<std::uint64_t>()));
  if (in.take<bool>()) {
    std::uint64_t bytes = 0;
    for (std::size_t c = 0; c < partial.sent.widths.size(); ++c)
      bytes += partial.sent.rows * partial.sent.widths[c] + partial.sent.list_bytes[c];
    partial.sent.columns = in.take_bytes(static_cast<std::size_t>(bytes));
  }
  if (!in.is_done())
    throw QueryStop{data_error(ranks_.name(from) + ": its part of a result is broken")};
}

namespace {

// All ranks' views in partition order: by rank and view, the place.
template <typename Partials>
std::vector<std::vector<std::size_t>> places_of_views(const Partials& partials) {
  std::vector<std::tuple<std::int64_t, std::size_t, std::size_t>> views;
  std::vector<std::vector<std::size_t>> places;
  for (std::size_t rank = 0; rank < partials.size(); ++rank) {
    places.emplace_back(partials[rank].partitions.size());
    for (std::size_t view = 0; view < partials[rank].partitions.size(); ++view)
      views.emplace_back(partials[rank].partitions[view], rank, view);
  }
  std::sort(views.begin(), views.end());
  for (std::size_t place = 0; place < views.size(); ++place)
    places[std::get<1>(views[place])][std::get<2>(views[place])] = place;
  return places;
}

}  // namespace

ResultTable SharedRun::joined(std::span<const RankSegment> segments,
                              std::vector<Partial>& partials) {
  std::vector<SentTable> sent(partials.size());
  for (std::size_t rank = 1; rank < partials.size(); ++rank)
    sent[rank] = std::move(partials[rank].sent);
  return join_tables(std::move(partials.front().groups.table), sent, segments,
                     {ranks_, context_.memory, [this] { tell_order(ranks_, Order::kSend); },
                      context_.stats.rank.transfer_ms});
}

ResultTable SharedRun::merge_rows(std::vector<Partial>& partials) {
  const auto places = places_of_views(partials);
  std::size_t count = 0;
  for (const auto& of_rank : places) count += of_rank.size();
  std::vector<RankSegment> segments(count);
  for (std::size_t rank = 0; rank < partials.size(); ++rank) {
    std::uint64_t begin = 0;
    for (std::size_t view = 0; view < places[rank].size(); ++view) {
      const std::uint64_t rows = partials[rank].rows_by_view[view];
      segments[places[rank][view]] = {rank, begin, rows};
      begin += rows;
    }
  }
  return joined(segments, partials);
}

ResultTable SharedRun::merge_groups(const TablePlan& plan, const Schema& schema,
                                    std::vector<Partial>& partials) {
  std::pmr::memory_resource& memory = context_.memory;
  const auto places = places_of_views(partials);
  std::vector<RankSegment> segments;
  for (std::size_t rank = 0; rank < partials.size(); ++rank)
    segments.push_back(
        {rank, 0, rank == 0 ? partials[0].groups.table.rows : partials[rank].sent.rows});
  ResultTable all = joined(segments, partials);
  const auto type_of = [&](const std::optional<std::size_t>& field) {
    return field ? schema.fields[*field].type : QType::kLong;
  };

  // Which group each row belongs to.
  std::pmr::vector<std::uint32_t> groups(static_cast<std::size_t>(all.rows), 0, &memory);
  std::uint32_t count = all.rows == 0 ? 0 : 1;
  if (!plan.by.empty()) {
    std::vector<Words> words;
    for (std::size_t k = 0; k < plan.by.size(); ++k) {
      for (Words& of_column : equality_words(all.columns[k], all.rows, context_))
        words.push_back(std::move(of_column));
    }
    const RowGroups numbered(words, context_);
    for (std::size_t r = 0; r < numbered.runs().size(); ++r)
      std::fill(groups.begin() + numbered.runs()[r].begin,
                groups.begin() + static_cast<std::ptrdiff_t>(numbered.end_of(r)),
                numbered.runs()[r].group);
    count = numbered.count();
  }

  // What is kept of them, and the rows of `all` that show a group's first and last elements.
  const bool has_keys_of_rows = std::ranges::any_of(
      plan.by, [&](const GroupKey& key) { return is_key_of_a_row(schema.fields[key.field].type); });
  GroupRowNeeds needs = needs_of(plan, has_keys_of_rows);
  needs.counts |= plan.by.empty();
  GroupAggregates merged(needs, memory);
  for (const Output& output : plan.outputs)
    merged.add(
        make_aggregator(output.aggregate, type_of(output.field), type_of(output.weights), memory));
  merged.resize(count);
  std::pmr::vector<std::uint64_t> first_shown(count, 0, &memory);
  std::pmr::vector<std::uint64_t> last_shown(count, 0, &memory);
  std::pmr::vector<std::uint64_t> firsts(count, UINT64_MAX, &memory);
  std::pmr::vector<std::uint64_t> lasts(count, 0, &memory);
  std::size_t row = 0;
  for (std::size_t rank = 0; rank < partials.size(); ++rank) {
    const PartialGroups& partial = partials[rank].groups;
    const std::size_t begin = row;
    const auto id_of = [&](std::span<const std::uint64_t> ids, std::size_t at) {
      if (ids.empty()) return std::uint64_t{0};
      return RowId::make(places[rank][RowId::view(ids[at])], RowId::row(ids[at]));
    };
    for (std::size_t at = 0; at < segments[rank].rows; ++at, ++row) {
      const std::uint32_t group = groups[row];
      const std::uint64_t first = id_of(partial.first_rows, at);
      const std::uint64_t last = id_of(partial.last_rows, at);
      merged.rows().note_run(group, partial.counts.empty() ? 0 : partial.counts[at], first, last);
      if (first <= firsts[group]) {
        firsts[group] = first;
        first_shown[group] = row;
      }
      if (last >= lasts[group]) {
        lasts[group] = last;
        last_shown[group] = row;
      }
    }
    ByteSource in(rank == 0 ? partial.states.bytes() : partials[rank].states);
    merged.add_saved(in, std::span(groups).subspan(begin, row - begin));
    if (!in.is_done())
      throw QueryStop{data_error(ranks_.name(rank) + ": its aggregates are broken")};
    partials[rank].head = {};
  }

  const auto gathered = [&](const ResultColumn& from, const std::string& name, auto row_of) {
    ResultColumn column{name, from.type, from.width, Buffer(memory, count * from.width),
                        from.domain};
    for (std::size_t i = 0; i < count; ++i)
      std::memcpy(column.buffer.data() + i * from.width,
                  from.buffer.data() + row_of(i) * from.width, from.width);
    return column;
  };

  // In the order of the keys; different rows stay as they are.
  const bool shows_first = is_distinct(plan);
  std::pmr::vector<std::uint32_t> order(count, 0, &memory);
  std::iota(order.begin(), order.end(), 0u);
  if (!shows_first && !plan.by.empty()) {
    ResultTable keys;
    keys.rows = count;
    for (std::size_t k = 0; k < plan.by.size(); ++k)
      keys.columns.push_back(gathered(all.columns[k], all.columns[k].name,
                                      [&](std::size_t g) { return last_shown[g]; }));
    RowOrder by_keys;
    for (std::size_t k = 0; k < plan.by.size(); ++k) by_keys.columns.push_back(k);
    const RowNumbers numbers = ordered_rows(keys, by_keys, {0, count}, context_);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      order[i] = static_cast<std::uint32_t>(numbers[i]);
  }

  ResultTable result;
  result.rows = count;
  result.keep_alive = std::move(all.keep_alive);
  std::size_t next = 0;  // of the columns of `all`
  const auto show = [&](const std::string& name, std::span<const std::uint64_t> shown) {
    result.columns.push_back(
        gathered(all.columns[next++], name, [&](std::size_t i) { return shown[order[i]]; }));
  };
  for (const GroupKey& key : plan.by) show(key.name, shows_first ? first_shown : last_shown);
  for (std::size_t o = 0; o < plan.outputs.size(); ++o) {
    const Output& output = plan.outputs[o];
    if (is_of_a_row(output)) {
      show(output.name, output.aggregate == Aggregate::kFirst ? first_shown : last_shown);
    } else {
      result.columns.push_back(
          merged.finish(o, output, type_of(output.field), order, &context_.pool, memory));
    }
  }
  return result;
}

Result<ResultTable> SharedRun::run(const SharedLeaf& leaf) {
  const std::vector<PlanLeaf> leaves = leaves_of(table_, plan_);
  const auto number =
      std::ranges::find_if(leaves, [&](const PlanLeaf& one) { return &one.plan == &leaf.plan; });
  if (number == leaves.end())
    return usage_error("a query within a join's own rows cannot be run by several ranks");
  TablePlan over(leaf.plan);
  over.where = leaf.where;
  std::optional<DistinctPlan> distinct;
  if (leaf.is_distinct) distinct.emplace(over);
  const TablePlan& plan = leaf.is_distinct ? distinct->plan : over;
  for (const GroupKey& key : plan.by) {
    if (key.field < leaf.table.schema().fields.size() &&
        leaf.table.schema().fields[key.field].type == QType::kNested)
      return usage_error("groups by a column of lists cannot be merged of several ranks");
  }
  ByteSink order;
  order.put(Order::kLeaf);
  order.put(static_cast<std::uint64_t>(number - leaves.begin()));
  order.put(leaf.is_distinct);
  for (const ConditionQuery& query : leaf.plan.condition_queries)
    put_test(order, leaf.where[query.condition].test);
  ranks_.tell(order.bytes());

  // All say how they fared before anything is thrown, so that no message is left over.
  std::optional<Partial> own;
  std::optional<Error> failed;
  try {
    own = make_partial(leaf, plan);
  } catch (...) {
    failed = error_of_exception();
  }
  const Result<Ranks::Answers> sizes = [&] {
    const Stopwatch watch(context_.stats.rank.wait_ms);
    return ranks_.take_answers();
  }();
  if (failed) return *failed;
  if (!sizes.ok()) return sizes.error();
  std::vector<Partial> partials;
  partials.push_back(std::move(*own));
  receive_heads(leaf.table, *sizes, partials);
  if (plan.by.empty() && !plan.aggregates()) return merge_rows(partials);
  std::optional<Schema> extended;
  if (!plan.computed.empty()) extended = schema_with_computed(leaf.table.schema(), plan);
  const Schema& schema = extended ? *extended : leaf.table.schema();
  ResultTable result = merge_groups(plan, schema, partials);
  if (!plan.by.empty() || result.rows != 0) return result;
  // No rows at all: what one process gives of none. What it reads was counted.
  const ExecuteStats counted = context_.stats;
  Result<ResultTable> of_none =
      run_leaf_(leaf.table, plan, [](const QueryInput& input, std::span<AccessLog> accesses) {
        return run_group(input, accesses);
      });
  context_.stats = counted;
  return of_none;
}

void SharedRun::end(Ranks& ranks) { tell_order(ranks, Order::kEnd); }

void SharedRun::serve() {
  const std::vector<PlanLeaf> leaves = leaves_of(table_, plan_);
  std::optional<Parcel> parcel;
  for (;;) {
    const std::vector<std::byte> told = ranks_.hear();
    ByteSource in(told);
    const auto order = in.take<Order>();
    if (order == Order::kEnd) return;
    if (order == Order::kSend) {
      send_next(*parcel);
      continue;
    }
    parcel.reset();
    const PlanLeaf& of = leaves.at(static_cast<std::size_t>(in.take<std::uint64_t>()));
    std::vector<Condition> where = of.plan.where;
    const bool is_distinct = in.take<bool>();
    for (const ConditionQuery& query : of.plan.condition_queries)
      where[query.condition].test = take_test(in);
    HDB_CHECK(in.is_done(), "ranks are of one program");
    TablePlan over(of.plan);
    over.where = where;
    std::optional<DistinctPlan> distinct;
    if (is_distinct) distinct.emplace(over);
    Status done = ok_status();
    try {
      parcel = packed(of.table, make_partial({of.table, of.plan, where, is_distinct},
                                             is_distinct ? distinct->plan : over));
    } catch (...) {
      done = error_of_exception();
    }
    const std::uint64_t size = parcel ? parcel->head.bytes().size() : 0;
    ranks_.answer(done, std::as_bytes(std::span(&size, 1)));
  }
}

}  // namespace hdbench
