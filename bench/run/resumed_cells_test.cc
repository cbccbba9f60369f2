// What is taken of results that were cut short.
#include "bench/run/resumed_cells.h"

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

// A placement with one setting, and a saved run of it.
struct Scene {
  Scene() {
    auto parsed = one_query("select from quote");
    REQUIRE(parsed.ok());
    queries = std::move(*parsed);
    queries.front().id = 1;
    Setting setting;
    setting.medium = "dram";
    planned.medium = "dram";
    planned.settings = {setting};
    PlacementCeilings ceilings;
    ceilings.medium = "dram";
    ceilings.finished = false;
    ceilings.visits = 0;
    saved.file = "r.json";
    saved.context.ceilings.placements = {ceilings};
    CellResult cell;
    cell.query = 1;
    cell.text = "select from quote";
    cell.setting = setting;
    saved.cells = {cell};
  }
  CellResult& cell() { return saved.cells.front(); }
  PlacementCeilings& ceilings() { return saved.context.ceilings.placements.front(); }
  std::optional<SavedPlacement> take(bool has_peers = false) const {
    return saved_placement(saved, {planned, queries, filter, 0, reloads, 2, has_peers});
  }
  std::size_t visits() const { return take()->cells.front().visits; }

  std::vector<ListedQuery> queries;
  NamePattern filter;
  PlannedPlacement planned;
  SavedRun saved;
  std::size_t reloads = 2;
};

TEST_CASE("nothing is taken of a run that has no such cell") {
  Scene scene;
  scene.saved.cells.clear();
  CHECK_FALSE(scene.take());
  Scene other;
  other.ceilings().medium = "nvme";
  CHECK_FALSE(other.take());
  Scene matrix;
  matrix.ceilings().matrix = 1;
  CHECK_FALSE(matrix.take());
}

TEST_CASE("a cell is finished of the visits that were, and of one with enough repetitions") {
  Scene scene;
  scene.cell().visits = {1};
  CHECK(scene.visits() == 0);
  scene.cell().visits = {2};
  CHECK(scene.visits() == 1);
  CHECK(scene.take()->ceilings.visits == 1);
  // The second visit repeats it as often as the first did.
  scene.cell().visits = {4, 3};
  CHECK(scene.visits() == 1);
  scene.cell().visits = {4, 4};
  CHECK(scene.visits() == 2);
  CHECK(scene.take()->ceilings.finished);
  // A budget may have left repetitions out of a visit that was finished.
  scene.ceilings().visits = 1;
  scene.cell().visits = {1};
  CHECK(scene.visits() == 1);
}

TEST_CASE("an error of a finished visit stands, one of a visit that was cut short does not") {
  Scene scene;
  scene.cell().visits = {2};
  scene.cell().error = "-w";
  CHECK(scene.visits() == 0);
  scene.ceilings().visits = 2;
  CHECK(scene.visits() == 2);
}

TEST_CASE("beside peers all cells of a visit are taken, or none is finished") {
  Scene scene;
  scene.reloads = 1;
  scene.cell().visits = {2};
  CHECK(scene.take()->cells.front().visits == 1);
  CHECK(scene.take(true)->cells.front().visits == 0);
  scene.ceilings().visits = 1;
  CHECK(scene.take(true)->cells.front().visits == 1);
}

TEST_CASE("a query of another text is reported once, and its cells are not taken") {
  Scene scene;
  scene.cell().text = "select bid\nfrom quote";
  scene.saved.cells.push_back(scene.cell());
  CHECK_FALSE(scene.take());
  const std::vector<std::string> names = {scene.cell().name()};
  CHECK(changed_queries(scene.saved, scene.queries, names) ==
        std::vector<std::string>{
            "resume: Q01 of r.json is 'select bid\\u000afrom quote', and here it is "
            "'select from quote': its cells are run anew"});
  CHECK(changed_queries(scene.saved, scene.queries, {}).empty());
  scene.saved.cells.front().text = scene.saved.cells.back().text = "select from quote";
  CHECK(changed_queries(scene.saved, scene.queries, names).empty());
}

}  // namespace
}  // namespace hdbench::bench
