#include "engine/column/filled_column.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace hdbench {
namespace {

// Of pieces that stay in the cache.
constexpr std::uint64_t kFilledElements = 4096;

template <typename T>
void store_element(std::array<std::byte, 16>& element, T value) {
  static_assert(sizeof(T) <= 16);
  std::memcpy(element.data(), &value, sizeof(T));
}

}  // namespace

std::array<std::byte, 16> null_element(const Column& like) {
  std::array<std::byte, 16> element{};
  switch (like.type) {
    case QType::kNested:
      store_element(element, NestedCell{nullptr, 0, static_cast<std::uint8_t>(QType::kChar)});
      break;
    case QType::kSymbol:
      store_element(element, like.domain->null_code());  // little-endian: the low bytes come first
      break;
    case QType::kChar: store_element(element, ' '); break;
    case QType::kReal: store_element(element, std::numeric_limits<float>::quiet_NaN()); break;
    case QType::kFloat:
    case QType::kDatetime: store_element(element, std::numeric_limits<double>::quiet_NaN()); break;
    default:
      // The least integer, where the type has a null.
      if (like.width > 1 && like.type != QType::kGuid) element[like.width - 1] = std::byte{0x80};
  }
  return element;
}

void fill_elements(Store& store, std::byte* destination, std::span<const std::byte> element,
                   std::uint64_t count) {
  const std::size_t width = element.size();
  std::vector<std::byte> piece(std::min(count, kFilledElements) * width);
  for (std::size_t at = 0; at < piece.size(); at += width) {
    std::memcpy(piece.data() + at, element.data(), width);
  }
  for (std::uint64_t done = 0; done < count; done += kFilledElements) {
    const std::uint64_t now = std::min(kFilledElements, count - done);
    store.copy_in(destination + done * width, std::span(piece).first(now * width));
  }
}

Result<Column> make_null_column(const Column& like, std::uint64_t rows, Store& store,
                                const std::filesystem::path& path) {
  const auto element = null_element(like);
  Column column;
  column.type = like.type;
  column.width = like.type == QType::kNested ? sizeof(NestedCell) : like.width;
  column.domain = like.domain;
  if (column.type == QType::kSymbol) {
    column.has_null_codes = true;
    while (column.domain->null_code() >> (8 * column.width - 1) > 1) column.width *= 2;
  }
  column.rows = rows;
  column.source = path.string();
  HDB_ASSIGN(Region region, store.allocate_for(path, column.bytes()));
  fill_elements(store, region.bytes.data(), std::span(element).first(column.width), rows);
  column.data = region.bytes.data();
  column.keep_alive.push_back(std::move(region.keep_alive));
  return column;
}

}  // namespace hdbench
