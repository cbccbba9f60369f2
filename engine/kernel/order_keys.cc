#include "engine/kernel/order_keys.h"

#include <cstring>
#include <limits>
#include <type_traits>

#include "engine/base/check.h"
#include "engine/column/column.h"
#include "engine/column/order_key.h"

namespace hdbench {
namespace {

constexpr std::int64_t kNullOrderKey = std::numeric_limits<std::int64_t>::min();

template <typename T>
T load_value(const std::byte* values, std::size_t i) {
  return load_element<T>(values + i * sizeof(T));
}

// Calls f with a value of the C++ type that holds a scalar q type.
template <typename F>
auto with_type(QType type, F&& f) {
  switch (type_width(type)) {
    case 1: return f(std::uint8_t{});
    case 2: return f(std::int16_t{});
    case 4: return type == QType::kReal ? f(float{}) : f(std::int32_t{});
    default: break;
  }
  HDB_CHECK(type != QType::kGuid && type != QType::kNested && type != QType::kSymbol,
            "a scalar with an order");
  return is_floating(type) ? f(double{}) : f(std::int64_t{});
}

template <typename T>
std::int64_t order_key_of(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return float_order_key(static_cast<double>(value));
  } else {
    return std::int64_t{value};
  }
}

template <typename T>
constexpr bool kNarrowWithNull = std::is_signed_v<T> && std::is_integral_v<T> && sizeof(T) < 8;

}  // namespace

void to_order_keys(QType type, const std::byte* values, std::size_t count, std::int64_t* keys) {
  // By value: the loop would read a captured reference again after each key that it writes.
  with_type(type, [=](auto tag) {
    using T = decltype(tag);
    for (std::size_t i = 0; i < count; ++i) {
      const T value = load_value<T>(values, i);
      keys[i] = order_key_of(value);
      if constexpr (kNarrowWithNull<T>) {
        if (value == std::numeric_limits<T>::min()) keys[i] = kNullOrderKey;
      }
    }
  });
}

void from_order_key(QType type, std::int64_t key, std::byte* element) {
  with_type(type, [&](auto tag) {
    using T = decltype(tag);
    T value;
    if constexpr (std::is_floating_point_v<T>) {
      value = static_cast<T>(float_from_order_key(key));
    } else {
      value = kNarrowWithNull<T> && key == kNullOrderKey ? std::numeric_limits<T>::min()
                                                         : static_cast<T>(key);
    }
    std::memcpy(element, &value, sizeof(T));
  });
}

void to_doubles(QType type, const std::byte* values, std::size_t count, double* doubles) {
  with_type(type, [&](auto tag) {
    using T = decltype(tag);
    for (std::size_t i = 0; i < count; ++i) {
      const T value = load_value<T>(values, i);
      doubles[i] = static_cast<double>(value);
      if constexpr (std::is_signed_v<T> && std::is_integral_v<T>) {
        if (value == std::numeric_limits<T>::min())
          doubles[i] = std::numeric_limits<double>::quiet_NaN();
      }
    }
  });
}

void to_words(std::uint32_t width, const std::byte* codes, std::size_t count,
              std::uint64_t* words) {
  const auto widen = [=](auto tag) {
    for (std::size_t i = 0; i < count; ++i) words[i] = load_value<decltype(tag)>(codes, i);
  };
  switch (width) {
    case 1: return widen(std::uint8_t{});
    case 2: return widen(std::uint16_t{});
    case 4: return widen(std::uint32_t{});
    default: return widen(std::uint64_t{});
  }
}

std::int64_t positive_infinity_key(QType type) {
  return with_type(type, [](auto tag) {
    using T = decltype(tag);
    if constexpr (std::is_floating_point_v<T>) {
      return float_order_key(std::numeric_limits<double>::infinity());
    } else {
      return std::int64_t{std::numeric_limits<T>::max()};
    }
  });
}

std::int64_t negative_infinity_key(QType type) {
  return with_type(type, [](auto tag) {
    using T = decltype(tag);
    if constexpr (std::is_floating_point_v<T>) {
      return float_order_key(-std::numeric_limits<double>::infinity());
    } else if constexpr (std::is_signed_v<T>) {
      return -std::int64_t{std::numeric_limits<T>::max()};
    } else {
      return std::int64_t{0};
    }
  });
}

}  // namespace hdbench
