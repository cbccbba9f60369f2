// Reads the fields of one JSON object, with errors that name file, field, what was found and what
// was expected.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace hdbench {

class JsonFields {
 public:
  using Json = nlohmann::ordered_json;

  // `path` is the object's own place in the file, "" for the whole. Keeps references.
  JsonFields(const Json& object, std::string file, std::string path)
      : object_(object), file_(std::move(file)), path_(std::move(path)) {}

  bool has(const char* field) const { return object_.contains(field); }
  const Json& operator[](const char* field) const { return object_.at(field); }
  std::string path_of(std::string_view field) const {
    return path_.empty() ? std::string(field) : fmt::format("{}.{}", path_, field);
  }
  const std::string& file() const { return file_; }
  const std::string& path() const { return path_; }

  Error wrong(std::string_view field, std::string_view found, std::string_view expected) const {
    return usage_error(
        fmt::format("{}: {}: {}, expected {}", file_, path_of(field), found, expected));
  }

  // Errors: not an object, or a field that is none of these.
  Status only(std::initializer_list<std::string_view> known) const {
    if (!object_.is_object()) {
      return usage_error(fmt::format("{}: {}: {}, expected an object", file_,
                                     path_.empty() ? "the file" : path_, object_.type_name()));
    }
    for (const auto& [name, value] : object_.items()) {
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        return wrong(name, "unknown field", fmt::format("one of {}", fmt::join(known, ", ")));
      }
    }
    return ok_status();
  }

  // The object at a field, which has none but these fields.
  Result<JsonFields> object(const char* field,
                            std::initializer_list<std::string_view> known) const {
    if (!has(field)) return wrong(field, "missing", "an object");
    JsonFields inner((*this)[field], file_, path_of(field));
    HDB_TRY(inner.only(known));
    return inner;
  }

  Result<std::string> text(const char* field) const {
    if (!has(field)) return wrong(field, "missing", "a text");
    const Json& value = object_.at(field);
    if (!value.is_string()) return wrong(field, value.dump(), "a text");
    const auto& text = value.get_ref<const std::string&>();
    if (text.empty()) return wrong(field, "empty", "a text");
    for (const char c : text) {
      if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
        return wrong(field, "control characters in it", "a text of one line");
    }
    return text;
  }

  // One of these words, which stand in the order of the enum.
  template <typename Enum>
  Result<Enum> choice(const char* field, std::initializer_list<std::string_view> words) const {
    HDB_ASSIGN(const std::string word, text(field));
    const auto found = std::find(words.begin(), words.end(), word);
    if (found != words.end()) return static_cast<Enum>(found - words.begin());
    return wrong(field, word, fmt::format("{}", fmt::join(words, " or ")));
  }

  // A number above 0.
  Result<double> positive(const char* field) const {
    if (!has(field)) return wrong(field, "missing", "a number above 0");
    const Json& value = object_.at(field);
    if (!value.is_number() || !(value.get<double>() > 0)) {
      return wrong(field, value.dump(), "a number above 0");
    }
    return value.get<double>();
  }

 private:
  const Json& object_;
  std::string file_;
  std::string path_;
};

}  // namespace hdbench
