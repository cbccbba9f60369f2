#include "engine/exec/piece_rows.h"

#include <functional>
#include <memory>

#include "engine/base/catch.h"
#include "engine/exec/narrow_days.h"

using namespace hdbench;

namespace {

// Two days by sym, and by date alone, whose morsels have one group.
struct Rows {
  std::shared_ptr<Table> table;
  Plan plan;
  ThreadPool pool{1};
  QueryInput input;
  KeyColumn sym{kSym, QType::kSymbol, 0, 3, 0, 1};
  MorselKeys keys;
  Morsel morsel{0, {100, 100 + PieceRows::kRowsMax}, 0, std::nullopt};
  TouchLog touched{5, nullptr};

  Rows(const std::function<std::uint8_t(std::uint64_t)>& code, std::int64_t least_size)
      : table(two_narrow_days(code, [](std::uint64_t) { return std::uint8_t{0}; })),
        plan(last_by({{"sym", kSym}}, least_size)),
        input(*make_query_input(*table, plan, {}, pool)) {}

  void read_sym() { keys.read = {{&sym, input.slices[0].columns[kSym], 0}}; }
};

std::uint8_t zero(std::uint64_t) { return 0; }

bool are_same(RowRange a, RowRange b) { return a.begin == b.begin && a.end == b.end; }

}  // namespace

TEST_CASE("a morsel is one piece, and of one group two, the last one first") {
  Rows rows(zero, 0);
  const auto pieces = std::make_unique<PieceRows>(rows.input, rows.keys);
  constexpr std::uint64_t kHalf = PieceRows::kRowsMax / 2;
  REQUIRE(pieces->pieces_of(rows.morsel) == 2);
  REQUIRE(are_same(pieces->piece_after(rows.morsel, 0), {100 + kHalf, 100 + 2 * kHalf}));
  REQUIRE(are_same(pieces->piece_after(rows.morsel, 1), {100, 100 + kHalf}));
  REQUIRE(are_same(pieces->piece_after({0, {7, 9}, 0, std::nullopt}, 0), {7, 9}));
  rows.read_sym();
  REQUIRE(pieces->pieces_of(rows.morsel) == 1);
  REQUIRE(are_same(pieces->piece_after(rows.morsel, 0), rows.morsel.rows));
}

TEST_CASE("a steady key's run ends where its value does, but not among several short ones") {
  const auto run = [](const std::function<std::uint8_t(std::uint64_t)>& code,
                      std::optional<std::size_t> steady_field, std::int64_t least_size) {
    Rows rows(code, least_size);
    rows.read_sym();
    const auto pieces = std::make_unique<PieceRows>(rows.input, rows.keys);
    return pieces->run_of_one_value(rows.morsel, {100, 10000}, steady_field);
  };
  const auto from_3000 = [](std::uint64_t i) { return static_cast<std::uint8_t>(i >= 3000); };
  const auto short_runs = [](std::uint64_t i) { return static_cast<std::uint8_t>(i / 300 % 3); };
  REQUIRE(are_same(run(zero, kSym, 0), {100, 10000}));
  REQUIRE(are_same(run(from_3000, kSym, 0), {100, 3000}));
  REQUIRE(are_same(run(from_3000, std::nullopt, 0), {100, 10000}));
  REQUIRE(are_same(run(from_3000, kVenue, 0), {100, 10000}));
  // The column is not read before the condition on another one has selected a row.
  REQUIRE(are_same(run(from_3000, kSym, 50), {100, 10000}));
  REQUIRE(are_same(run(short_runs, kSym, 0), {100, 10000}));
}

TEST_CASE("selected rows are bits from the piece's first row on") {
  for (const std::int64_t least_size : {0, 164, 5000, 1000000}) {
    Rows rows(zero, least_size);
    rows.read_sym();
    const auto pieces = std::make_unique<PieceRows>(rows.input, rows.keys);
    const bool has_selected = pieces->select(rows.morsel, {100, 1124}, nullptr, rows.touched);
    REQUIRE(has_selected == (least_size < 1124));
    REQUIRE(pieces->most_words_selected() == (least_size <= 164));
    for (std::uint64_t row = 100; row < 1124; ++row) {
      const bool is_selected = (pieces->bits()[(row - 100) / 64] >> ((row - 100) % 64) & 1) != 0;
      REQUIRE(is_selected == (static_cast<std::int64_t>(row) >= least_size));
    }
  }
}
