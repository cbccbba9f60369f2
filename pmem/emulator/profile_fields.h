// Reads the fields of one JSON object of a device profile, with errors that name file, field, what
// was found and what was expected.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"

namespace hdbench::pmem {

// With a list of errors, each is added to it, the first of a field only, and values stand in for
// those that are wrong, so that one reading finds all errors.
class ProfileFields {
 public:
  using Json = nlohmann::ordered_json;
  using Errors = std::vector<std::pair<std::string, std::string>>;  // place, message

  // `path` is the object's own place in the file, "" for the whole. Keeps references. errors: null:
  // none is kept.
  ProfileFields(const Json& object, std::string file, std::string path, Errors* errors = nullptr)
      : object_(object), file_(std::move(file)), path_(std::move(path)), errors_(errors) {}

  // The object at a field, which may be none: only() tells.
  ProfileFields at(const char* field) const {
    return {object_.at(field), file_, path_of(field), errors_};
  }
  // The object at place k of the list at a field: only() tells whether it is one.
  ProfileFields element(const char* field, std::size_t k) const {
    return {object_.at(field).at(k), file_, fmt::format("{}[{}]", path_of(field), k), errors_};
  }
  bool keeps_errors() const { return errors_ != nullptr; }
  // Whether reading ends with this error: it does unless errors are kept, where it goes on.
  Status unless_kept(const Status& status) const {
    if (status.ok() || !keeps_errors()) return status;
    keep(path_, status.error());
    return ok_status();
  }

  bool has(const char* field) const { return object_.contains(field); }
  const Json& operator[](const char* field) const { return object_.at(field); }
  std::string path_of(std::string_view field) const {
    return path_.empty() ? std::string(field) : fmt::format("{}.{}", path_, field);
  }
  const std::string& path() const { return path_; }

  Error wrong(std::string_view field, std::string_view found, std::string_view expected) const {
    Error error =
        usage_error(fmt::format("{}: {}: {}, expected {}", file_, path_of(field), found, expected));
    keep(path_of(field), error);
    return error;
  }

  // Errors: not an object, or a field that is none of these.
  Status only(std::initializer_list<std::string_view> known) const {
    if (!object_.is_object()) {
      Error error =
          usage_error(fmt::format("{}: {}: {}, expected an object", file_,
                                  path_.empty() ? "the file" : path_, object_.type_name()));
      keep(path_, error);
      return error;
    }
    for (const auto& [name, value] : object_.items()) {
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        HDB_TRY(unless_kept(
            wrong(name, "unknown field", fmt::format("one of {}", fmt::join(known, ", ")))));
      }
    }
    return ok_status();
  }

  // The object at a field, which has none but these fields.
  Result<ProfileFields> object(const char* field,
                               std::initializer_list<std::string_view> known) const {
    if (!has(field)) return wrong(field, "missing", "an object");
    const ProfileFields inner = at(field);
    HDB_TRY(inner.only(known));
    return inner;
  }

  // wrong(), unless it fits. While errors are kept reading goes on.
  Status check(bool fits, std::string_view field, std::string_view found,
               std::string_view expected) const {
    return fits ? ok_status() : unless_kept(wrong(field, found, expected));
  }

  Result<std::string> text(const char* field) const {
    Result<std::string> text = checked_text(field);
    return text.ok() || !keeps_errors() ? text : Result<std::string>("?");
  }

  // One of these words, which stand in the order of the enum.
  template <typename Enum>
  Result<Enum> choice(const char* field, std::initializer_list<std::string_view> words) const {
    HDB_ASSIGN(const std::string word, text(field));
    const auto found = std::find(words.begin(), words.end(), word);
    HDB_TRY(check(found != words.end(), field, word, fmt::format("{}", fmt::join(words, " or "))));
    return static_cast<Enum>(found == words.end() ? 0 : found - words.begin());
  }

  // A number above 0.
  Result<double> positive(const char* field) const {
    const bool is_there = has(field);
    const bool fits =
        is_there && object_.at(field).is_number() && object_.at(field).get<double>() > 0;
    if (fits) return object_.at(field).get<double>();
    Error error = wrong(field, is_there ? object_.at(field).dump() : "missing", "a number above 0");
    return keeps_errors() ? Result<double>(1.0) : Result<double>(std::move(error));
  }

 private:
  void keep(const std::string& place, const Error& error) const {
    if (errors_ == nullptr) return;
    for (const auto& [known, message] : *errors_) {
      if (known == place || message == error.message) return;
    }
    errors_->emplace_back(place, error.message);
  }

  Result<std::string> checked_text(const char* field) const {
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

  const Json& object_;
  std::string file_;
  std::string path_;
  Errors* errors_;
};

}  // namespace hdbench::pmem
