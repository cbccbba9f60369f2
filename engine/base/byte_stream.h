// Numbers written one after the other, and read again by a process of the same program and machine
// type: what processes hand to each other. No format of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/base/bytes.h"

namespace hdbench {

class ByteSink {
 public:
  explicit ByteSink(std::pmr::memory_resource& resource = *std::pmr::get_default_resource())
      : bytes_(&resource) {}

  template <typename T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    put_bytes({reinterpret_cast<const std::byte*>(&value), sizeof(value)});
  }
  // Its length, and its elements.
  template <typename Values>
  void put_all(const Values& values) {
    static_assert(std::is_trivially_copyable_v<typename Values::value_type>);
    put(static_cast<std::uint64_t>(values.size()));
    put_bytes(std::as_bytes(std::span(values)));
  }
  // A map's or list's pairs.
  template <typename Pairs>
  void put_pairs(const Pairs& pairs) {
    put(static_cast<std::uint64_t>(pairs.size()));
    for (const auto& [first, second] : pairs) {
      put(first);
      put(second);
    }
  }
  void put_text(std::string_view text) { put_all(text); }
  void put_bytes(Bytes bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }

  Bytes bytes() const { return bytes_; }

 private:
  std::pmr::vector<std::byte> bytes_;
};

// Beyond the end it gives zeros and empty lists, and has_failed() says so from then on.
class ByteSource {
 public:
  explicit ByteSource(Bytes bytes) : left_(bytes) {}

  template <typename T>
  T take() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    const Bytes bytes = take_bytes(sizeof(T));
    if (bytes.size() == sizeof(T)) std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  template <typename T>
  std::vector<T> take_all() {
    std::vector<T> values;
    take_all_into(values);
    return values;
  }
  template <typename Values>
  void take_all_into(Values& values) {
    constexpr std::size_t kSize = sizeof(typename Values::value_type);
    const auto count = take<std::uint64_t>();
    values.clear();
    if (count > left_.size() / kSize) return fail();
    values.resize(static_cast<std::size_t>(count));
    const Bytes bytes = take_bytes(values.size() * kSize);
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  }
  template <typename First, typename Second>
  std::vector<std::pair<First, Second>> take_pairs() {
    std::vector<std::pair<First, Second>> pairs;
    for (auto left = take<std::uint64_t>(); left > 0 && !failed_; --left) {
      const First first = take<First>();
      pairs.emplace_back(first, take<Second>());
    }
    return pairs;
  }
  std::string take_text() {
    const auto count = take<std::uint64_t>();
    return std::string(as_text(take_bytes(static_cast<std::size_t>(count))));
  }
  // Empty where there are fewer.
  Bytes take_bytes(std::size_t count) {
    if (count > left_.size()) {
      fail();
      return {};
    }
    const Bytes taken = left_.first(count);
    left_ = left_.subspan(count);
    return taken;
  }

  bool has_failed() const { return failed_; }
  void fail() {
    failed_ = true;
    left_ = {};
  }
  // Whether all was read, and no more.
  bool is_done() const { return !failed_ && left_.empty(); }

 private:
  Bytes left_;
  bool failed_ = false;
};

}  // namespace hdbench
