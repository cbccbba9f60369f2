// Symbol lists (`sym`, `.d`) and the domains that are made of them (docs/hdb-format.md, "Row
// count").
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/column/domain.h"
#include "engine/storage/narrow_codes.h"

namespace hdbench {

// The names in a `ff 01 0b` object, which run to its end whatever its header counts. Views into
// `bytes`.
Result<std::vector<std::string_view>> parse_symbol_list(Bytes bytes, const std::string& source);

// A symbol list's file as a domain called `name`.
Result<std::shared_ptr<const Domain>> read_domain(const std::filesystem::path& path,
                                                  std::string name);

// The column names in a table's `.d`: at least one, each a plain file name, none twice.
Result<std::vector<std::string>> read_column_names(const std::filesystem::path& path);

// Whether a name read from a file may be put into a path: no separator, nothing hidden, not empty.
bool is_plain_name(std::string_view name);

// The domains of one database, each read when first requested. Safe from several threads.
class Domains {
 public:
  explicit Domains(std::filesystem::path root) : root_(std::move(root)) {}

  // `asker` is the file that enumerates over the domain, for the message when there is none.
  Result<std::shared_ptr<const Domain>> get(const std::string& name, const std::string& asker);

  // Whether the name is that of a table at the root, splayed or saved: what is enumerated over it
  // points to its rows.
  bool is_table(const std::string& name);

  // From now on tables read an index outside its domain as the null symbol, counted here.
  void read_leniently() { outside_ = std::make_unique<OutsideCodes>(); }
  // Null: such an index is an error.
  OutsideCodes* outside_codes() const { return outside_.get(); }

 private:
  std::filesystem::path root_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Domain>> domains_;
  std::map<std::string, bool> tables_;  // of the names that were requested, whether they are tables
  std::unique_ptr<OutsideCodes> outside_;
};

}  // namespace hdbench
