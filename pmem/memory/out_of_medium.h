// What a medium's heap throws when its medium has no more: a std::bad_alloc that says why.
#pragma once

#include <new>
#include <string>
#include <utility>

namespace hdbench {

class OutOfMedium : public std::bad_alloc {
 public:
  explicit OutOfMedium(std::string reason) : reason_(std::move(reason)) {}
  const char* what() const noexcept override { return reason_.c_str(); }

 private:
  std::string reason_;
};

}  // namespace hdbench
