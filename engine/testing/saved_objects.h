// For tests: q objects as kdb+ serialises them into a file (`ff 01` and the object).
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "engine/testing/column_files.h"

namespace hdbench {

using Object = std::vector<std::byte>;

// A type, an attribute and a count, as vectors and lists begin.
inline Object object_head(int type, std::size_t count, Attribute attribute = Attribute::kNone) {
  Object object{static_cast<std::byte>(type), static_cast<std::byte>(attribute)};
  append_bytes(object, static_cast<std::int32_t>(count));
  return object;
}

inline void append_object(Object& object, const Object& other) {
  object.insert(object.end(), other.begin(), other.end());
}

template <typename T>
Object vector_object(QType type, std::initializer_list<T> values,
                     Attribute attribute = Attribute::kNone) {
  Object object = object_head(static_cast<int>(type), values.size(), attribute);
  for (const T value : values) append_bytes(object, value);
  return object;
}

template <typename T>
Object atom_object(QType type, T value) {
  Object object{static_cast<std::byte>(-static_cast<int>(type))};
  append_bytes(object, value);
  return object;
}

inline void append_symbol(Object& object, std::string_view text) {
  append_object(object, bytes_of(text));
  object.push_back(std::byte{0});
}

inline Object symbol_object(std::string_view text) {
  Object object{std::byte{0xf5}};
  append_symbol(object, text);
  return object;
}

inline Object symbols_object(std::initializer_list<std::string_view> texts) {
  Object object = object_head(11, texts.size());
  for (const std::string_view text : texts) append_symbol(object, text);
  return object;
}

inline Object string_object(std::string_view text) {
  Object object = object_head(10, text.size());
  append_object(object, bytes_of(text));
  return object;
}

inline Object list_object(std::initializer_list<Object> items) {
  Object object = object_head(0, items.size());
  for (const Object& item : items) append_object(object, item);
  return object;
}

inline Object dictionary_object(const Object& keys, const Object& values) {
  Object object{std::byte{99}};
  append_object(object, keys);
  append_object(object, values);
  return object;
}

inline Object table_object(std::initializer_list<std::string_view> names,
                           std::initializer_list<Object> columns) {
  Object object{std::byte{98}, std::byte{0}};
  append_object(object, dictionary_object(symbols_object(names), list_object(columns)));
  return object;
}

inline Object saved(const Object& object) {
  Object file{std::byte{0xff}, std::byte{0x01}};
  append_object(file, object);
  return file;
}

inline void save_object(const std::filesystem::path& path, const Object& object) {
  write_bytes(path, saved(object));
}

}  // namespace hdbench
