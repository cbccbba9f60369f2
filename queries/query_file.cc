#include "queries/query_file.h"

#include <fmt/format.h>

#include <charconv>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/base/file_handle.h"
#include "queries/ascii.h"

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
  explicit Reader(const std::filesystem::path& path) : path_(path) {}

  Result<QueryFile> run() {
    const Result<std::string> text = read_text(path_, kQueryFileBytesMax);
    if (!text.ok()) return usage_error(text.error().message);
    const bool is_marked = text->starts_with(kByteOrderMark);
    const std::vector<std::string_view> lines =
        lines_of(std::string_view(*text).substr(is_marked ? kByteOrderMark.size() : 0));
    for (; line_ < lines.size(); ++line_) {
      if (skip_block(lines)) continue;
      const Status taken = take(lines[line_]);
      if (!taken.ok()) whole_.errors.push_back(taken.error());
    }
    line_ = lines.empty() ? 0 : lines.size() - 1;
    if (number_) whole_.errors.push_back(error("a query's number without a query after it"));
    if (whole_.entries.empty() && whole_.errors.empty()) {
      whole_.errors.push_back(usage_error(fmt::format("{}: holds no query", path_.string())));
    }
    return std::move(whole_);
  }

 private:
  Error error(std::string_view what) const {
    return usage_error(fmt::format("{}:{}: {}", path_.string(), line_ + 1, what));
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
    entry.id = number_.value_or(static_cast<int>(whole_.entries.size()) + 1);
    entry.line = line_ + 1;
    entry.text = std::string(without_comment(line));
    entry.name = std::exchange(words_, {});
    entry.expected_rows_scale1 = expected_;
    number_.reset();
    expected_.reset();
    whole_.entries.push_back(std::move(entry));
    const int id = whole_.entries.back().id;
    if (ids_.insert(id).second) return ok_status();
    return error(fmt::format("a second query with the number {}", id));
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

  std::filesystem::path path_;
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
  return Reader(path).run();
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
