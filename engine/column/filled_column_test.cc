#include "engine/column/filled_column.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "engine/base/catch.h"
#include "engine/column/column.h"
#include "engine/column/memory_table.h"

namespace hdbench {
namespace {

class HeapStore final : public Store {
 public:
  Result<Mapping> map(const std::filesystem::path& path) override {
    return data_error(path.string());
  }
  Result<Region> allocate(std::size_t bytes) override {
    const auto owned = std::make_shared<std::vector<std::byte>>(bytes);
    return Region{*owned, owned};
  }
  void copy_in(std::byte* destination, std::span<const std::byte> source) override {
    std::copy(source.begin(), source.end(), destination);
  }
};

Column nulls(QType type, std::uint64_t rows, std::shared_ptr<const Domain> domain = nullptr) {
  Column like;
  like.type = type;
  like.width = type == QType::kSymbol ? 2 : type_width(type);
  like.domain = std::move(domain);
  HeapStore store;
  return make_null_column(like, rows, store, "2020.01.07/quote/x").value();
}

TEST_CASE("every row of a column of nulls is its type's null") {
  constexpr std::uint64_t kRows = 10000;
  for (const QType type : {QType::kShort, QType::kInt, QType::kDate, QType::kTime, QType::kLong,
                           QType::kTimestamp, QType::kReal, QType::kFloat, QType::kDatetime}) {
    INFO(type_name(type));
    const Column column = nulls(type, kRows);
    REQUIRE(column.rows == kRows);
    const bool narrow = type_width(type) < 8 && !is_floating(type);
    const std::int64_t null = !narrow ? kNullLong : type_width(type) == 2 ? kNullShort : kNullInt;
    for (const std::uint64_t row : {std::uint64_t{0}, std::uint64_t{4096}, kRows - 1}) {
      CHECK(order_key_at(column, row) == null);
    }
  }
  CHECK(order_key_at(nulls(QType::kChar, 2), 1) == ' ');
  CHECK(order_key_at(nulls(QType::kBoolean, 2), 1) == 0);
  const Column guids = nulls(QType::kGuid, 2);
  CHECK(std::vector<std::byte>(guids.data, guids.data + 32) == std::vector<std::byte>(32));
  CHECK(nulls(QType::kLong, 0).rows == 0);
}

TEST_CASE("symbols that are null are the domain's empty symbol, cells are empty strings") {
  const Column symbols = nulls(QType::kSymbol, 3, make_domain("sym", {"a", ""}));
  CHECK(symbols.width == 2);
  for (std::uint64_t row = 0; row < 3; ++row) CHECK(order_key_at(symbols, row) == 1);
  const Column cells = nulls(QType::kNested, 2);
  const auto cell = load_element<NestedCell>(cells.data + sizeof(NestedCell));
  CHECK(cell.count == 0);
  CHECK(cell.kind == static_cast<std::uint8_t>(QType::kChar));
}

TEST_CASE("a domain without the empty symbol has its null code, which may need wider codes") {
  for (const std::size_t count : {1, 256}) {
    std::vector<std::string> texts(count, "a");
    Column like;
    like.type = QType::kSymbol;
    like.width = 1;
    like.domain = make_domain("sym", std::move(texts));
    HeapStore store;
    const Column column = make_null_column(like, 2, store, "t/x").value();
    CHECK(column.width == (count == 256 ? 2 : 1));
    CHECK(order_key_at(column, 1) == static_cast<std::int64_t>(count));
    CHECK(column.code_bound() == count + 1);
  }
}

}  // namespace
}  // namespace hdbench
