#include "engine/exec/group_state.h"

#include <cstdint>
#include <new>
#include <optional>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/memory_table.h"
#include "engine/testing/refusing_resource.h"

using namespace hdbench;

namespace {

// No rows: a symbol of three, and the sum of a long by it, or without a key.
struct Task {
  explicit Task(bool has_key) : table("t", schema_of(), {part_of()}) {
    if (has_key) plan.by.push_back({"sym", 0});
    plan.outputs.push_back({"s", Aggregate::kSum, 1, std::nullopt});
    input.table = &table;
    input.plan = &plan;
    if (has_key) task.keys = {{0, QType::kSymbol, 0, 3, 0, 1}};
    task.ranges.resize(1);
  }
  static Schema schema_of() {
    Schema schema;
    schema.fields = {{"sym", QType::kSymbol, Attribute::kNone, make_domain("sym", {"a", "b", "c"})},
                     {"size", QType::kLong, Attribute::kNone, nullptr}};
    return schema;
  }

  static MemoryTable::Part part_of() {
    MemoryTable::Part part;
    part.columns.push_back(make_column<std::int32_t>(QType::kSymbol, std::vector<std::int32_t>{}));
    part.columns.push_back(make_column<std::int64_t>(QType::kLong, std::vector<std::int64_t>{}));
    return part;
  }

  MemoryTable table;
  Plan plan;
  QueryInput input;
  ExecuteSettings settings;
  GroupTask task{input, settings, {}, {true, false, false}, {}};
};

}  // namespace

TEST_CASE("settling numbers the slots that have rows, and the group without a key in any case") {
  for (const bool has_key : {true, false}) {
    const Task of(has_key);
    const std::vector<std::uint64_t> cardinalities = word_cardinalities(of.task.keys);
    GroupState groups(of.task, cardinalities, of.task.needs, *std::pmr::new_delete_resource());
    groups.make_aggregators(Numbering::kBySlot);
    groups.resize(groups.index().slot_count());
    REQUIRE(groups.aggregators()[0] != nullptr);
    if (has_key) groups.rows().note_run(2, 5, 0, 4);
    groups.settle();
    REQUIRE(groups.index().size() == 1);
    REQUIRE(groups.place(0) == (has_key ? 2 : 0));
  }
}

TEST_CASE("room for groups that a limit refused in part is asked for again") {
  constexpr std::size_t kGroups = 1000;
  const Task of(true);
  const std::vector<std::uint64_t> unknown = {0};
  for (int refused = 0;; ++refused) {
    testing::RefusingResource resource(refused);
    std::optional<GroupState> groups;
    const auto ask = [&] {
      if (!groups) groups.emplace(of.task, unknown, of.task.needs, resource);
      groups->make_aggregators(Numbering::kByAppearance);
      groups->resize(kGroups);
    };
    try {
      ask();
    } catch (const std::bad_alloc&) {
      if (!groups) continue;
      groups->resize(kGroups);
    }
    REQUIRE(groups->group_count() == kGroups);
    const std::vector<std::uint32_t> last = {kGroups - 1};
    const std::vector<std::int64_t> value = {7};
    REQUIRE(groups->aggregators()[0] != nullptr);
    groups->aggregators()[0]->update(
        {1, last.data(), reinterpret_cast<const std::byte*>(value.data()), nullptr, 1, 0, kGroups});
    std::int64_t sum = 0;
    groups->aggregators()[0]->finish(last, groups->rows().counts(),
                                     reinterpret_cast<std::byte*>(&sum));
    REQUIRE(sum == 7);
    if (!resource.has_refused()) break;
  }
}
