#include "engine/exec/rank_tables.h"

#include <cstring>
#include <string>

#include "engine/base/catch.h"
#include "engine/operator/query_context.h"
#include "engine/testing/thread_ranks.h"

namespace hdbench {
namespace {

// One column of these elements.
template <typename T>
ResultTable one_column(QType type, const std::vector<T>& values) {
  ResultTable table;
  table.rows = values.size();
  table.columns.push_back({"c", type, sizeof(T),
                           Buffer(*std::pmr::new_delete_resource(), values.size() * sizeof(T)),
                           nullptr});
  std::memcpy(table.columns[0].buffer.data(), values.data(), values.size() * sizeof(T));
  return table;
}

NestedCell text_cell(const std::string& text) {
  return {reinterpret_cast<const std::byte*>(text.data()), static_cast<std::uint32_t>(text.size()),
          10, false, 0};
}

// Rank 1's table below and between rank 0's rows: its second row first.
ResultTable joined(ResultTable own, const ResultTable& other, std::uint64_t list_bytes) {
  testing::Mailboxes boxes(2);
  testing::ThreadRank first(boxes, 0, testing::Sharing::kRoundRobin);
  testing::ThreadRank second(boxes, 1, testing::Sharing::kRoundRobin);
  const ResultColumn& column = other.columns[0];
  const std::vector<SentTable> sent{{}, {other.rows, {column.width}, {list_bytes}, {}}};
  const std::vector<RankSegment> segments{{1, 1, 1}, {0, 0, own.rows}, {1, 0, 1}};
  double receive_ms = 0;
  const auto send = [&] {
    second.send({column.buffer.data(), column.buffer.bytes()});
    const Buffer items = items_of_lists(column, other.rows, *std::pmr::new_delete_resource());
    if (column.type == QType::kNested) second.send({items.data(), items.bytes()});
  };
  return join_tables(std::move(own), sent, segments,
                     {first, *std::pmr::new_delete_resource(), send, receive_ms});
}

TEST_CASE("rows come in the segments' order, and codes are as wide as the widest") {
  const ResultTable all = joined(one_column<std::uint8_t>(QType::kSymbol, {7, 8}),
                                 one_column<std::uint16_t>(QType::kSymbol, {300, 400}), 0);
  REQUIRE(all.rows == 4);
  CHECK(all.columns[0].width == 2);
  const auto* const codes = reinterpret_cast<const std::uint16_t*>(all.columns[0].buffer.data());
  CHECK(std::vector<std::uint16_t>(codes, codes + 4) == std::vector<std::uint16_t>{400, 7, 8, 300});
}

TEST_CASE("lists come with their items, and others than were told of are refused") {
  const std::string texts[] = {"own", "alpha", "be"};
  const auto own = [&] { return one_column<NestedCell>(QType::kNested, {text_cell(texts[0])}); };
  const ResultTable other =
      one_column<NestedCell>(QType::kNested, {text_cell(texts[1]), text_cell(texts[2])});
  const ResultTable all = joined(own(), other, 7);
  CHECK(checksum(all) ==
        checksum(one_column<NestedCell>(
            QType::kNested, {text_cell(texts[2]), text_cell(texts[0]), text_cell(texts[1])})));
  CHECK_THROWS_AS(joined(own(), other, 9), QueryStop);
}

}  // namespace
}  // namespace hdbench
