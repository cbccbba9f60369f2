#include "engine/storage/symbol_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "engine/base/store.h"
#include "engine/storage/plain_file.h"
#include "engine/storage/saved_object.h"

namespace hdbench {
namespace {

constexpr std::size_t kListHeaderBytes = 8;

// Why a path is no file: "there is no file PATH".
std::string why_no_file(const std::filesystem::path& path) {
  if (const auto link = dangling_link(path)) return *link;
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) return "there is no file " + path.string();
  return path.string() + " is a directory, without the .d of a table";
}

Result<PlainFile> read_here(const std::filesystem::path& path) {
  const std::shared_ptr<Store> store = make_page_cache_store();
  return read_plain_file(path, *store);
}

}  // namespace

Result<std::vector<std::string_view>> parse_symbol_list(Bytes bytes, const std::string& source) {
  if (bytes.size() < kListHeaderBytes) {
    return data_error(fmt::format("{}: {} bytes, but a symbol list has at least {}", source,
                                  bytes.size(), kListHeaderBytes));
  }
  if (!starts_with(bytes, "\xff\x01\x0b")) {
    return data_error(
        fmt::format("{}: byte 0: {:02x} {:02x} {:02x}, but a symbol list starts with "
                    "ff 01 0b",
                    source, load_at<std::uint8_t>(bytes, 0), load_at<std::uint8_t>(bytes, 1),
                    load_at<std::uint8_t>(bytes, 2)));
  }
  if (const auto count = load_at<std::int32_t>(bytes, 4); count < 0) {
    return data_error(fmt::format("{}: byte 4: a count of {}", source, count));
  }
  const std::string_view text = as_text(bytes.subspan(kListHeaderBytes));
  if (!text.empty() && text.back() != '\0') {
    return data_error(fmt::format("{}: byte {}: the file ends within a symbol, but a NUL ends each",
                                  source, bytes.size()));
  }
  const auto count = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\0'));
  if (count > std::numeric_limits<std::uint32_t>::max()) {
    return data_error(
        fmt::format("{}: {} symbols, but at most 2^32 - 1 are supported", source, count));
  }
  std::vector<std::string_view> symbols;
  symbols.reserve(count);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\0', at);
    symbols.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return symbols;
}

Result<std::shared_ptr<const Domain>> read_domain(const std::filesystem::path& path,
                                                  std::string name) {
  HDB_ASSIGN(PlainFile file, read_here(path));
  HDB_ASSIGN(auto symbols, parse_symbol_list(file.bytes, path.string()));
  return std::make_shared<const Domain>(std::move(name), std::move(symbols),
                                        std::move(file.keep_alive));
}

bool is_plain_name(std::string_view name) {
  return !name.empty() && name.front() != '.' &&
         name.find_first_of(std::string_view("/\0", 2)) == std::string_view::npos;
}

Result<std::vector<std::string>> read_column_names(const std::filesystem::path& path) {
  std::error_code ignored;
  if (const auto link = dangling_link(path)) return data_error(*link);
  if (std::filesystem::status(path, ignored).type() == std::filesystem::file_type::not_found) {
    return data_error(path.parent_path().string() +
                      ": no .d in it (the file that names a table's columns)");
  }
  HDB_ASSIGN(const PlainFile file, read_here(path));
  HDB_ASSIGN(const auto symbols, parse_symbol_list(file.bytes, path.string()));
  if (symbols.empty()) return data_error(path.string() + ": no columns in it");
  std::set<std::string_view> seen;
  for (const std::string_view symbol : symbols) {
    if (!is_plain_name(symbol)) {
      return data_error(fmt::format("{}: \"{}\" is no column's name", path.string(), symbol));
    }
    if (!seen.insert(symbol).second) {
      return data_error(fmt::format("{}: column {} is named twice", path.string(), symbol));
    }
  }
  return std::vector<std::string>(symbols.begin(), symbols.end());
}

Result<std::shared_ptr<const Domain>> Domains::get(const std::string& name,
                                                   const std::string& asker) {
  const std::lock_guard lock(mutex_);
  if (const auto known = domains_.find(name); known != domains_.end()) return known->second;
  const std::filesystem::path path = root_ / name;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    return data_error(
        fmt::format("{}: enumerated over domain {}, but {}", asker, name, why_no_file(path)));
  }
  HDB_ASSIGN(std::shared_ptr<const Domain> domain, read_domain(path, name));
  domains_.emplace(name, domain);
  return domain;
}

bool Domains::is_table(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto [entry, is_new] = tables_.try_emplace(name, false);
  if (!is_new) return entry->second;
  const std::filesystem::path path = root_ / name;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    entry->second = std::filesystem::is_regular_file(path / ".d", ignored);
  } else if (std::filesystem::is_regular_file(path, ignored)) {
    const auto saved = summarize_saved(path);
    entry->second = saved.has_value() && is_table_kind(saved->kind);
  }
  return entry->second;
}

}  // namespace hdbench
