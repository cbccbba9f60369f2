// A domain: the list of symbols that an enumeration's codes point into (`sym`).
//
// Immutable and safe to share between threads. A code is a position in the list; two codes with
// equal text are the same symbol (kdb+ never writes such a list; `hdbench verify` reports one).
//
// Every domain has the null symbol, which is the empty one: where the list lacks it, it comes after
// the stored symbols. Files have a null as an index of their own (narrow_codes.h), never this code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hdbench {

class Domain {
 public:
  // The views must stay valid as long as keep_alive is held.
  Domain(std::string name, std::vector<std::string_view> symbols,
         std::shared_ptr<const void> keep_alive);

  const std::string& name() const { return name_; }
  // Codes that have a text, the null symbol's included.
  std::size_t size() const { return symbols_.size(); }
  // Those of the list.
  std::size_t stored_size() const { return stored_size_; }
  // Below stored_size() only where the list has the empty symbol.
  std::uint64_t null_code() const { return null_code_; }
  std::span<const std::string_view> symbols() const { return symbols_; }
  // Requires: code < size().
  std::string_view text(std::size_t code) const { return symbols_[code]; }

  // The (first) code of a symbol, or nothing. Linear: for the few symbols of a query's text.
  std::optional<std::uint64_t> find(std::string_view text) const;

  // rank[code] = place of the symbol in text order (byte-wise), equal texts sharing a rank. Made at
  // the first call.
  std::span<const std::uint32_t> ranks() const;

 private:
  std::string name_;
  std::vector<std::string_view> symbols_;
  std::size_t stored_size_ = 0;
  std::uint64_t null_code_ = 0;
  std::shared_ptr<const void> keep_alive_;
  mutable std::once_flag ranks_once_;
  mutable std::vector<std::uint32_t> ranks_;
};

}  // namespace hdbench
