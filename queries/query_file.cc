#include "queries/query_file.h"

#include <fmt/format.h>

#include <charconv>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/base/file_handle.h"
#include "queries/ascii.h"
#include "queries/definitions.h"

namespace hdbench::queries {
namespace {

constexpr std::size_t kQueryFileBytesMax = std::size_t{16} << 20;

// Takes the digits at the front of `text`, if they are a number that fits.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t value = 0;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return value;
}

// A line up to a / behind a blank, outside of strings.
std::string_view without_comment(std::string_view line) {
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (is_quoted && line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      is_quoted = !is_quoted;
    } else if (!is_quoted && line[i] == '/' && i > 0 && is_space(line[i - 1])) {
      return trim(line.substr(0, i));
    }
  }
  return line;
}

class Reader {
 public:
  explicit Reader(std::string name) : name_(std::move(name)) {}

  QueryFile run(std::string_view text) {
    const bool is_marked = text.starts_with(kByteOrderMark);
    const std::vector<std::string_view> lines =
        lines_of(text.substr(is_marked ? kByteOrderMark.size() : 0));
    for (; line_ < lines.size(); ++line_) {
      if (skip_block(lines)) continue;
      const Status taken = take(lines[line_]);
      if (!taken.ok()) whole_.errors.push_back(taken.error());
    }
    settle_entries();
    line_ = lines.empty() ? 0 : lines.size() - 1;
    if (number_) whole_.errors.push_back(error("a query's number without a query after it"));
    if (whole_.entries.empty() && whole_.errors.empty()) {
      whole_.errors.push_back(usage_error(fmt::format("{}: holds no query", name_)));
    }
    return std::move(whole_);
  }

 private:
  Error error(std::string_view what) const {
    return usage_error(fmt::format("{}:{}: {}", name_, line_ + 1, what));
  }

  // Numbers those that have none, and puts definitions before the queries that use them.
  void settle_entries() {
    struct Definitions {
      std::vector<std::string> names;
      std::string text;
    };
    std::vector<Definitions> known;
    std::vector<QueryEntry> queries;
    for (QueryEntry& entry : whole_.entries) {
      std::string text = entry.text;
      for (auto one = known.rbegin(); one != known.rend(); ++one) {
        if (names_any(text, one->names)) text.insert(0, one->text + "; ");
      }
      std::vector<std::string> names =
          entry.id == 0 ? defined_names(entry.text) : std::vector<std::string>();
      if (!names.empty()) {
        while (entry.text.ends_with(';') || entry.text.ends_with(' ')) entry.text.pop_back();
        known.push_back({std::move(names), std::move(entry.text)});
        continue;
      }
      entry.text = std::move(text);
      if (entry.id == 0) entry.id = static_cast<int>(queries.size()) + 1;
      if (!ids_.insert(entry.id).second) {
        line_ = entry.line - 1;
        whole_.errors.push_back(error(fmt::format("a second query with the number {}", entry.id)));
      }
      queries.push_back(std::move(entry));
    }
    whole_.entries = std::move(queries);
  }

  // From a line that is / alone to the next that is \ alone, if there is one.
  bool skip_block(const std::vector<std::string_view>& lines) {
    if (trim(lines[line_]) != "/" || lines[line_].front() != '/') return false;
    for (std::size_t at = line_ + 1; at < lines.size(); ++at) {
      if (trim(lines[at]) != "\\") continue;
      line_ = at;
      return true;
    }
    return false;
  }

  Status take(std::string_view whole_line) {
    const std::string_view line = trim(whole_line);
    const bool is_indented = !line.empty() && is_space(whole_line.front());
    if (line.empty()) {
      words_.clear();
      is_open_ = false;
      return ok_status();
    }
    if (line.front() == '/') {
      if (is_indented && is_open_) return ok_status();
      is_open_ = false;
      return take_comment(trim(line.substr(1)));
    }
    if (is_indented && is_open_) {
      whole_.entries.back().text += " ";
      whole_.entries.back().text += without_comment(line);
      return ok_status();
    }
    is_open_ = true;
    QueryEntry entry;
    entry.id = number_.value_or(0);
    entry.line = line_ + 1;
    entry.text = std::string(without_comment(line));
    entry.name = std::exchange(words_, {});
    entry.expected_rows_scale1 = expected_;
    number_.reset();
    expected_.reset();
    whole_.entries.push_back(std::move(entry));
    return ok_status();
  }

  // `7` and `7: expect 8` speak of the next query; every other comment is for people.
  Status take_comment(std::string_view comment) {
    std::string_view rest = comment;
    const auto number = take_number(rest);
    const bool is_number = number && (rest.empty() || rest.front() == ':');
    if (!is_number) {
      if (!words_.empty() && !comment.empty()) words_ += ' ';
      words_ += comment;
      return ok_status();
    }
    if (number_) return error("two numbers for one query");
    if (*number < 1 || *number > 1'000'000) return error("a query's number is 1 to 1000000");
    number_ = static_cast<int>(*number);
    if (rest.empty()) return ok_status();
    constexpr std::string_view kExpect = "expect ";
    rest = trim(rest.substr(1));
    if (rest.substr(0, kExpect.size()) == kExpect) {
      rest = trim(rest.substr(kExpect.size()));
      expected_ = take_number(rest);
    }
    if (expected_ && rest.empty()) return ok_status();
    return error(fmt::format("found '/ {}', expected '/ {}: expect ROWS'", comment, *number));
  }

  std::string name_;
  std::size_t line_ = 0;  // from 0
  std::optional<int> number_;
  std::optional<std::uint64_t> expected_;
  std::string words_;     // of the comments right above
  bool is_open_ = false;  // whether an indented line goes on with the last query
  std::set<int> ids_;
  QueryFile whole_;
};

}  // namespace

Result<QueryFile> read_whole_query_file(const std::filesystem::path& path) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(path, failure)) {
    return usage_error(fmt::format("{}: {}", path.string(),
                                   failure ? failure.message() : std::string("is not a file")));
  }
  const Result<std::string> text = read_text(path, kQueryFileBytesMax);
  if (!text.ok()) return usage_error(text.error().message);
  return Reader(path.string()).run(*text);
}

QueryFile read_query_text(std::string_view text, const std::string& name) {
  return Reader(name).run(text);
}

Result<std::vector<QueryEntry>> read_query_file(const std::filesystem::path& path) {
  HDB_ASSIGN(QueryFile whole, read_whole_query_file(path));
  if (!whole.errors.empty()) return whole.errors.front();
  return std::move(whole.entries);
}

Result<std::filesystem::path> find_query_file(const std::string& name) {
  std::error_code ignored;
  const auto executable = std::filesystem::read_symlink("/proc/self/exe", ignored);
  const auto installed =
      (executable.parent_path() / "../share/hdbench/queries" / name).lexically_normal();
  const auto source = std::filesystem::path(HDBENCH_QUERIES_DIR) / name;
  for (const auto& path : {installed, source}) {
    if (std::filesystem::is_regular_file(path, ignored)) return path;
  }
  return usage_error(fmt::format("no query file {}: looked in the current directory, at {} and {}",
                                 name, installed.string(), source.string()));
}

}  // namespace hdbench::queries
