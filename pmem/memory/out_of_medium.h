// Thrown by a medium's heap when the medium is full: a std::bad_alloc with the reason.
#pragma once

#include <new>
#include <string>
#include <utility>

namespace hdbench::pmem {

class OutOfMedium : public std::bad_alloc {
 public:
  explicit OutOfMedium(std::string reason) : reason_(std::move(reason)) {}
  const char* what() const noexcept override { return reason_.c_str(); }

 private:
  std::string reason_;
};

}  // namespace hdbench::pmem
