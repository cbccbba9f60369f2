// Writes structs as JSON objects and reads them back, by one list of their fields.
//
// The list of a struct is a function in its namespace that names each field once, for both ways:
//
//   void fields(JsonFields& a, CpuCache& cache) { a("level", cache.level); ... }
//
// or, for fields that have the same name in both, HDB_FIELDS(cache, level, type, bytes).
//
// Fields may be numbers, texts, enums with word() and parse_word(), structs with such a list, and
// optionals (nothing: null), vectors, and vectors of pairs (objects) of these.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bench/base/json_value.h"
#include "engine/base/result.h"

namespace hdbench::bench {

// Thrown while an object is read: names the field, within lists and objects its place ("queries[2]:
// 'ms'"), what was found and what was expected.
struct BadField : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <typename T>
using Named = std::vector<std::pair<std::string, T>>;  // an object, in the order of its fields

class JsonFields {
 public:
  enum class Way { kWrite, kRead };

  // Requires: the object outlives it.
  JsonFields(Json& object, Way way) : json_(object), reads_(way == Way::kRead) {}

  bool reads() const { return reads_; }

  template <typename T>
  void operator()(const char* name, T& value) {
    convert(name, reads_ ? at(name, expected<T>()) : json_[name], value);
  }
  // Null where the value says nothing; null leaves it as it is.
  template <typename T>
  void or_null(const char* name, T& value) {
    if (reads_ ? !at(name, expected<T>()).is_null() : !is_nothing(value)) {
      (*this)(name, value);
    } else {
      json_[name] = nullptr;
    }
  }
  // Left out where the value says nothing.
  template <typename T>
  void if_any(const char* name, T& value) {
    if (reads_ ? json_.contains(name) : !is_nothing(value)) (*this)(name, value);
  }
  // Left out where the value is its type's first: zero, or an enum's first word.
  template <typename T>
  void unless_first(const char* name, T& value) {
    if (reads_ ? json_.contains(name) : value != T{}) (*this)(name, value);
  }
  // Follows from other fields: written only.
  void derived(const char* name, Json value) {
    if (!reads_) json_[name] = std::move(value);
  }

 private:
  template <typename T>
  static bool is_nothing(const T& value) {
    if constexpr (requires { value.has_value(); }) {
      return !value.has_value();
    } else {
      return value.empty();
    }
  }

  template <typename T>
  static constexpr const char* expected() {
    if (std::is_same_v<T, bool>) return "true or false";
    if (std::is_floating_point_v<T>) return "a number";
    if (std::is_unsigned_v<T>) return "a whole number from 0 up";
    if (std::is_integral_v<T>) return "a whole number";
    return std::is_class_v<T> && !std::is_same_v<T, std::string> ? "a value" : "a text";
  }

  Json& at(const char* name, const char* expected) const {
    const auto found = json_.find(name);
    if (found != json_.end()) return *found;
    throw BadField(fmt::format("'{}' is missing, expected {}", name, expected));
  }

  static void expect(bool is_right, const std::string& name, const Json& json, const char* what) {
    if (is_right) return;
    throw BadField(fmt::format("'{}' is {}, expected {}", name, json.dump(), what));
  }

  // A value of no other kind below.
  template <typename T>
  void convert(const std::string& name, Json& json, T& value) const {
    if constexpr (std::is_class_v<T> && !std::is_same_v<T, std::string>) {
      if (!reads_) json = Json::object();
      expect(json.is_object(), name, json, "an object");
      JsonFields inner(json, reads_ ? Way::kRead : Way::kWrite);
      try {
        fields(inner, value);
      } catch (const BadField& bad) {
        throw BadField(name + ": " + bad.what());
      }
    } else if constexpr (std::is_enum_v<T>) {
      std::string text(word(value));
      convert(name, json, text);
      const Result<T> parsed = parse_word(name, text, value);
      if (!parsed.ok()) throw BadField(parsed.error().message);
      value = *parsed;
    } else {
      if (!reads_) json = value;
      const bool is_right = std::is_same_v<T, bool>       ? json.is_boolean()
                            : std::is_floating_point_v<T> ? json.is_number()
                            : std::is_unsigned_v<T>       ? json.is_number_unsigned()
                            : std::is_integral_v<T>       ? json.is_number_integer()
                                                          : json.is_string();
      expect(is_right, name, json, expected<T>());
      json.get_to(value);
    }
  }
  template <typename T>
  void convert(const std::string& name, Json& json, std::optional<T>& value) const {
    if (reads_ ? json.is_null() : !value) {
      value.reset();
      json = nullptr;
    } else {
      convert(name, json, value ? *value : value.emplace());
    }
  }
  template <typename T>
  void convert(const std::string& name, Json& json, std::vector<T>& values) const {
    if (!reads_) json = Json::array_t(values.size());
    expect(json.is_array(), name, json, "a list");
    values.resize(json.size());
    constexpr bool kHasPlaces = std::is_class_v<T> && !std::is_same_v<T, std::string>;
    for (std::size_t i = 0; i < values.size(); ++i)
      convert(kHasPlaces ? fmt::format("{}[{}]", name, i) : name, json[i], values[i]);
  }
  template <typename T>
  void convert(const std::string& name, Json& json, Named<T>& values) const {
    if (!reads_) json = Json::object();
    expect(json.is_object(), name, json, "an object");
    if (reads_) values.clear();
    for (auto& [key, one] : json.items()) values.emplace_back(key, T{});
    for (auto& [key, value] : values) convert(fmt::format("{}: {}", name, key), json[key], value);
  }

  Json& json_;
  bool reads_;
};

// In a list of fields: those of `value` that have the same name there and in JSON.
#define HDB_FIELDS(value, ...)                                            \
  do {                                                                    \
    auto& fields_of = value;                                              \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(HDB_ONE_FIELD, __VA_ARGS__)) \
  } while (false)
#define HDB_ONE_FIELD(name) a(#name, fields_of.name);

}  // namespace hdbench::bench
