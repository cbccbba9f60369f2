// Whole q objects in a file: what kdb+ writes for `save` and `set`, `ff 01` and then the object as
// q serialises it (docs/hdb-format.md, "Saved objects").
//
// An ObjectReader goes through the bytes once, head by head, without recursion: what an object
// holds follows its head. It owns nothing, and every count is checked against the bytes that are
// left.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/column/type.h"

namespace hdbench {

// Numbers of q's types that no column has.
constexpr int kTableType = 98;
constexpr int kDictionaryType = 99;

struct ObjectHead {
  int type = 0;  // q's number: negative: an atom; 0: a list; 99: a dictionary, sorted (127) or not
  Attribute attribute = Attribute::kNone;
  std::uint64_t at = 0;      // the byte of the type
  std::uint64_t count = 0;   // items of a vector or list; 1: an atom
  std::uint64_t inside = 0;  // objects that follow and belong to it
  Bytes items;               // atoms and vectors: elements; symbols: each ended by a NUL

  bool is_atom() const { return type < 0; }
};

class ObjectReader {
 public:
  // Reads from byte `at` on. `source` is what messages name.
  ObjectReader(Bytes bytes, std::uint64_t at, std::string source)
      : bytes_(bytes), at_(at), source_(std::move(source)) {}

  // The next head; atoms and vectors are passed over with it. Errors: kData: the bytes end within
  // the object, a negative count, a type that is not known.
  Result<ObjectHead> next();

  // Passes over this many objects with everything in them.
  Status skip(std::uint64_t objects);

  std::uint64_t at() const { return at_; }
  Error error(std::uint64_t at, const std::string& what) const;

 private:
  Result<Bytes> take(std::uint64_t bytes);
  Result<std::uint64_t> take_count(std::uint64_t least_bytes);
  Status take_attribute(ObjectHead& head);
  Status take_symbols(ObjectHead& head);
  Status take_elements(ObjectHead& head, int type);
  Status take_function(ObjectHead& head);

  Bytes bytes_;
  std::uint64_t at_;
  std::string source_;
};

// The texts of symbols' items.
std::vector<std::string_view> symbol_texts(const ObjectHead& symbols);

enum class SavedKind { kSymbolList, kTable, kKeyedTable, kOther, kUnreadable };

constexpr bool is_table_kind(SavedKind kind) {
  return kind == SavedKind::kTable || kind == SavedKind::kKeyedTable;
}

struct SavedSummary {
  SavedKind kind = SavedKind::kOther;
  std::string name;  // as object_name() has it; kUnreadable: the error
};

// What a file at the root holds by its first bytes; nothing where kdb+ would not load it as an
// object.
std::optional<SavedSummary> summarize_saved(const std::filesystem::path& path);

// What kdb+ would load of the files at the root, by their names: those with dots are scripts and
// the like. Errors: kData: the directory cannot be read to its end.
Result<std::map<std::string, SavedSummary>> list_saved(const std::filesystem::path& root);

}  // namespace hdbench
