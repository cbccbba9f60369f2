#include "queries/query_file.h"

#include <fmt/format.h>

#include <charconv>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/base/file_handle.h"
#include "queries/ascii.h"

namespace hdbench {
namespace {

constexpr std::size_t kQueryFileBytesMax = std::size_t{16} << 20;

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// Takes the digits at the front of `text`, if they are a number that fits.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t value = 0;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return value;
}

class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : path_(path) {}

  Result<QueryFile> run() {
    const Result<std::string> text = read_text(path_, kQueryFileBytesMax);
    if (!text.ok()) return usage_error(text.error().message);
    std::istringstream file(*text);
    std::string line;
    while (std::getline(file, line)) {
      ++line_;
      const Status taken = take(trim(line));
      if (!taken.ok()) whole_.errors.push_back(taken.error());
    }
    if (number_) whole_.errors.push_back(error("a query's number without a query after it"));
    if (whole_.entries.empty() && whole_.errors.empty()) {
      whole_.errors.push_back(usage_error(fmt::format("{}: holds no query", path_.string())));
    }
    return std::move(whole_);
  }

 private:
  Error error(std::string_view what) const {
    return usage_error(fmt::format("{}:{}: {}", path_.string(), line_, what));
  }

  Status take(std::string_view line) {
    if (line.empty()) {
      words_.clear();
      return ok_status();
    }
    if (line.front() == '/') return take_comment(trim(line.substr(1)));
    QueryEntry entry;
    entry.id = number_.value_or(static_cast<int>(whole_.entries.size()) + 1);
    entry.line = line_;
    entry.text = std::string(line);
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
  std::size_t line_ = 0;
  std::optional<int> number_;
  std::optional<std::uint64_t> expected_;
  std::string words_;  // of the comments right above
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

}  // namespace hdbench
