#include "queries/query_file.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "queries/ascii.h"

namespace hdbench {
namespace {

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

  Result<std::vector<QueryEntry>> run() {
    std::ifstream file(path_);
    std::string line;
    while (std::getline(file, line)) {
      ++line_;
      HDB_TRY(take(trim(line)));
    }
    if (!file.eof()) return usage_error(fmt::format("{}: cannot be read", path_.string()));
    if (number_) return error("a query's number without a query after it");
    if (entries_.empty()) return usage_error(fmt::format("{}: holds no query", path_.string()));
    return std::move(entries_);
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
    entry.id = number_.value_or(static_cast<int>(entries_.size()) + 1);
    entry.text = std::string(line);
    entry.name = std::exchange(words_, {});
    entry.expected_rows_scale1 = expected_;
    if (!ids_.insert(entry.id).second) {
      return error(fmt::format("a second query with the number {}", entry.id));
    }
    entries_.push_back(std::move(entry));
    number_.reset();
    expected_.reset();
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

  std::filesystem::path path_;
  int line_ = 0;
  std::optional<int> number_;
  std::optional<std::uint64_t> expected_;
  std::string words_;  // of the comments right above
  std::set<int> ids_;
  std::vector<QueryEntry> entries_;
};

}  // namespace

Result<std::vector<QueryEntry>> read_query_file(const std::filesystem::path& path) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(path, failure)) {
    return usage_error(fmt::format("{}: {}", path.string(),
                                   failure ? failure.message() : std::string("is not a file")));
  }
  return Reader(path).run();
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
