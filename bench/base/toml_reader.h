// Reads the values of a TOML file, with errors that name the file, the line, the value and what was
// expected.
//
// Includes toml++, which is slow to compile: for the few sources that read such files.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"

namespace hdbench::bench {

// Thrown while a file is read: whoever reads it makes an Error of it.
struct BadToml : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class TomlReader {
 public:
  explicit TomlReader(std::string file) : file_(std::move(file)) {}

  [[noreturn]] void fail(const toml::node& node, const std::string& message) const {
    fail(node.source(), message);
  }
  [[noreturn]] void fail(const toml::source_region& place, const std::string& message) const {
    throw BadToml(fmt::format("{}:{}: {}", file_, place.begin.line, message));
  }

  void check_names(const toml::table& table, const std::vector<std::string_view>& known) const {
    for (const auto& [key, node] : table) {
      if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
      fail(node,
           fmt::format("'{}' is no name here: known are {}", key.str(), fmt::join(known, ", ")));
    }
  }

  std::string text(const toml::table& table, std::string_view name,
                   const std::string& otherwise) const {
    const toml::node* const node = table.get(name);
    if (node == nullptr) return otherwise;
    if (const auto* const value = node->as_string()) return value->get();
    fail(*node, fmt::format("'{}': expected a text in quotes", name));
  }

  std::optional<double> number(const toml::table& table, std::string_view name, double least,
                               double most) const {
    const toml::node* const node = table.get(name);
    if (node == nullptr) return std::nullopt;
    const std::optional<double> value = node->value<double>();
    if (!node->is_number() || !value || !(*value >= least) || *value > most) {
      fail(*node, fmt::format("'{}': expected a number from {} to {}", name, least, most));
    }
    return value;
  }

  std::optional<std::size_t> count(const toml::table& table, std::string_view name,
                                   std::size_t least, std::size_t most) const {
    const toml::node* const node = table.get(name);
    if (node == nullptr) return std::nullopt;
    const auto* const value = node->as_integer();
    if (value != nullptr && value->get() >= static_cast<std::int64_t>(least) &&
        value->get() <= static_cast<std::int64_t>(most)) {
      return static_cast<std::size_t>(value->get());
    }
    fail(*node, fmt::format("'{}': expected a whole number from {} to {}", name, least, most));
  }

  // "a" or ["a", "b"] or [1, "all"], as the flags' comma lists. A mode is written 4.0, as text or
  // number.
  std::string axis(const toml::table& table, std::string_view name) const {
    const toml::node& node = *table.get(name);
    const auto* const list = node.as_array();
    if (list == nullptr) return word(node, name);
    if (list->empty()) fail(node, fmt::format("'{}': an empty list", name));
    std::vector<std::string> words;
    for (const toml::node& one : *list) words.push_back(word(one, name));
    return fmt::format("{}", fmt::join(words, ","));
  }

  // The tables of [[name]].
  std::vector<const toml::table*> tables(const toml::table& table, std::string_view name) const {
    std::vector<const toml::table*> found;
    const toml::node* const node = table.get(name);
    if (node == nullptr) return found;
    const auto* const list = node->as_array();
    if (list == nullptr) fail(*node, fmt::format("'{}': expected [[{}]]", name, name));
    for (const toml::node& one : *list) {
      if (!one.is_table()) fail(one, fmt::format("'{}': expected [[{}]]", name, name));
      found.push_back(one.as_table());
    }
    return found;
  }

  std::string word(const toml::node& node, std::string_view name) const {
    if (const auto* const value = node.as_string()) return value->get();
    if (const auto* const value = node.as_integer()) return std::to_string(value->get());
    if (const auto* const value = node.as_floating_point()) {
      return fmt::format("{:.1f}", value->get());
    }
    fail(node, fmt::format("'{}': expected a word, a number or a list of them", name));
  }

 private:
  std::string file_;
};

// The tables of a name with dots are nested, and toml++, which bounds values, does not bound these.
inline constexpr std::ptrdiff_t kDotsMax = 32;

// The first line, from 1, with more dots than that, other than a comment; 0: there is none.
inline std::size_t line_of_long_key(std::string_view text) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t first = line.find_first_not_of(" \t");
    const bool is_comment = first != line.npos && line[first] == '#';
    if (!is_comment && std::ranges::count(line, '.') > kDotsMax) return number;
  }
  return 0;
}

// What `make` makes of the file's table with a TomlReader. Errors: kUsage, naming file and line.
template <typename T, typename Make>
Result<T> read_toml(std::string_view text, const std::string& file, const Make& make) {
  if (const std::size_t line = line_of_long_key(text); line != 0) {
    return usage_error(fmt::format("{}:{}: more than {} dots, expected names of fewer parts", file,
                                   line, kDotsMax));
  }
  try {
    const toml::table table = toml::parse(text, file);
    return make(TomlReader(file), table);
  } catch (const toml::parse_error& bad) {
    return usage_error(fmt::format("{}:{}: {}", file, bad.source().begin.line, bad.description()));
  } catch (const BadToml& bad) {
    return usage_error(bad.what());
  }
}

}  // namespace hdbench::bench
