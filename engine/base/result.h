// Result<T>: a value, or the error that prevented it.
//
// Errors of the environment (files, flags, hardware, query text, memory limits) are returned as
// values; programming errors abort (check.h). A message is one line that says what, where, what was
// found and what was expected: `quote/bid: 344455 rows, but time has 344456`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "engine/base/check.h"

namespace hdbench {

// What went wrong decides the program's exit status (design: 1 limit, 2 usage, 3 data, 4 mismatch).
enum class ErrorKind { kLimit, kUsage, kData, kMismatch };

struct Error {
  ErrorKind kind = ErrorKind::kData;
  std::string message = {};
  // Byte offset into the query text that a caret points at; only for errors in query text.
  std::optional<std::size_t> caret = {};
  // Lines below the message: the query's text and the caret.
  std::string place = {};
  // What was read is right as far as it goes: it is of a kind that this program does not read.
  bool unsupported = false;
  // What the error is about, for who knows the object and can mend it; never looked into.
  const void* subject = nullptr;
};

inline Error data_error(std::string message) {
  return {ErrorKind::kData, std::move(message), {}, {}};
}
inline Error unsupported_error(std::string message) {
  Error error = data_error(std::move(message));
  error.unsupported = true;
  return error;
}
inline Error usage_error(std::string message) {
  return {ErrorKind::kUsage, std::move(message), {}, {}};
}
inline Error text_error(std::string message, std::size_t caret) {
  return {ErrorKind::kUsage, std::move(message), caret, {}};
}

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // Require ok().
  T& value() & {
    HDB_CHECK(ok(), "value() of a failed Result");
    return std::get<0>(state_);
  }
  const T& value() const& {
    HDB_CHECK(ok(), "value() of a failed Result");
    return std::get<0>(state_);
  }
  T&& value() && {
    HDB_CHECK(ok(), "value() of a failed Result");
    return std::get<0>(std::move(state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // Requires !ok().
  const Error& error() const {
    HDB_CHECK(!ok(), "error() of a good Result");
    return std::get<1>(state_);
  }

 private:
  std::variant<T, Error> state_;
};

struct Done {};
using Status = Result<Done>;
inline Status ok_status() { return Done{}; }

}  // namespace hdbench

// Leaves the function with the error of `expression`, or gives its value to `declaration`.
#define HDB_CONCAT_INNER(a, b) a##b
#define HDB_CONCAT(a, b) HDB_CONCAT_INNER(a, b)
#define HDB_ASSIGN_IMPL(temporary, declaration, expression) \
  auto temporary = (expression);                            \
  if (!temporary.ok()) return temporary.error();            \
  declaration = std::move(temporary).value()
#define HDB_ASSIGN(declaration, expression) \
  HDB_ASSIGN_IMPL(HDB_CONCAT(hdb_result_, __LINE__), declaration, expression)
#define HDB_TRY(expression)                          \
  do {                                               \
    const auto& hdb_status = (expression);           \
    if (!hdb_status.ok()) return hdb_status.error(); \
  } while (false)
