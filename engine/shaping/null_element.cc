#include "engine/shaping/null_element.h"

#include <cstdint>
#include <cstring>

#include "engine/column/column.h"
#include "engine/kernel/order_keys.h"

namespace hdbench {

Element null_element(QType type, const Domain* domain) {
  Element element{};
  if (type == QType::kSymbol) {
    const std::uint64_t code = domain->null_code();
    std::memcpy(element.data(), &code, sizeof(code));
  } else if (type == QType::kNested) {
    const NestedCell empty{nullptr, 0, static_cast<std::uint8_t>(QType::kChar), false, 0};
    std::memcpy(element.data(), &empty, sizeof(empty));
  } else if (type == QType::kChar) {
    element[0] = std::byte{' '};
  } else if (type != QType::kGuid) {
    from_order_key(type, type_width(type) > 1 ? kNullLong : 0, element.data());
  }
  return element;
}

}  // namespace hdbench
