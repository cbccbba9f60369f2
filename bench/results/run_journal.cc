#include "bench/results/run_journal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <string>
#include <unordered_map>
#include <utility>

#include "bench/results/results_json.h"

namespace hdbench::bench {
namespace {

namespace fs = std::filesystem;

// Lines repeat cells. Beyond this, or several times the first line, the journal begins anew.
constexpr std::size_t kBytesUsual = std::size_t{1} << 20;
constexpr std::size_t kFirstLines = 4;

// One write, so that a reader sees all of it or a part without a line end. Such a part is taken
// back: results.json may need its space.
Status write_line(const OutputFile& file, const FileHandle& open, std::string_view line,
                  std::size_t bytes_before) {
  ssize_t written = 0;
  do {
    written = ::write(open.descriptor(), line.data(), line.size());
  } while (written < 0 && errno == EINTR);
  const bool is_whole = written == static_cast<ssize_t>(line.size());
  if (is_whole && ::fdatasync(open.descriptor()) == 0) return ok_status();
  const int why = is_whole || written < 0 ? errno : ENOSPC;
  [[maybe_unused]] const int ignored =
      ::ftruncate(open.descriptor(), static_cast<off_t>(bytes_before));
  return file_error(file.path, "cannot be written", why);
}

// Seconds of a date with its offset from UTC; 0 where it is none.
std::time_t epoch_seconds_of(const std::string& date) {
  std::tm time{};
  if (::strptime(date.c_str(), "%Y-%m-%dT%H:%M:%S%z", &time) == nullptr) return 0;
  const long offset = time.tm_gmtoff;  // timegm() sets it to 0
  return ::timegm(&time) - offset;
}

// When it was written: its sitting began on the date, and the seconds of all sittings rise.
std::pair<std::time_t, double> moment_of(const SavedRun& run) {
  return {epoch_seconds_of(run.context.date), run.context.elapsed_s.value_or(0)};
}

// Adds the cells of a later line; its context has everything.
void take_line(SavedRun& all, std::unordered_map<std::string, std::size_t>& known, SavedRun line) {
  all.context = std::move(line.context);
  for (CellResult& cell : line.cells) {
    const auto [at, is_new] = known.try_emplace(cell.name(), all.cells.size());
    if (is_new) all.cells.emplace_back();
    all.cells[at->second] = std::move(cell);
  }
}

}  // namespace

Status RunJournal::begin(const OutputFile& results) {
  HDB_ASSIGN(const std::optional<fs::path> file, file_of(results));
  if (!file) return ok_status();
  OutputFile journal{results.flag, *file, results.force};
  journal.path += ".partial";
  HDB_TRY(check_output(journal));
  HDB_ASSIGN(const std::optional<fs::path> own, file_of(journal));
  if (!own) return ok_status();
  file_ = {results.flag, *own, results.force};
  std::error_code error;
  is_own_ = fs::exists(file_.path, error);
  return ok_status();
}

Status RunJournal::append(const RunContext& context, const std::vector<CellResult>& all,
                          const std::vector<CellResult>& changed) {
  if (!file_.is_given() || has_failed_) return ok_status();
  has_failed_ = true;  // until it has been written
  // The new file takes the place of the old one when it has been written.
  if (open_.is_open() && bytes_ > std::max(kBytesUsual, kFirstLines * first_bytes_))
    open_ = FileHandle();
  const bool is_first = !open_.is_open();
  const std::string line = results_line(context, is_first ? all : changed);
  if (is_first) {
    HDB_ASSIGN(open_, begin_output(file_, line));
    is_own_ = true;
    bytes_ = 0;
    first_bytes_ = line.size();
  } else {
    HDB_TRY(write_line(file_, open_, line, bytes_));
  }
  bytes_ += line.size();
  has_failed_ = false;
  return ok_status();
}

void RunJournal::begin_anew() {
  open_ = FileHandle();
  // Nothing will replace one that is out of date.
  if (has_failed_) remove();
}

void RunJournal::remove() {
  open_ = FileHandle();
  if (is_own_) ::unlink(file_.path.c_str());
  is_own_ = false;
}

Result<std::optional<SavedRun>> parse_journal(std::string_view text, const std::string& file) {
  std::optional<SavedRun> all;
  std::unordered_map<std::string, std::size_t> known;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) break;
    HDB_ASSIGN(SavedRun line,
               parse_results(text.substr(0, end), fmt::format("{}: line {}", file, number)));
    if (!all) all.emplace().file = file;
    take_line(*all, known, std::move(line));
    text.remove_prefix(end + 1);
  }
  return all;
}

Result<std::optional<SavedRun>> read_unfinished(const fs::path& results, const fs::path& journal) {
  std::error_code error;
  std::optional<SavedRun> whole;
  if (fs::exists(results, error)) {
    if (!fs::is_regular_file(results, error)) {
      return usage_error(fmt::format("--resume: {}: no results file", results.string()));
    }
    HDB_ASSIGN(whole, read_results(results));
  }
  if (journal.empty() || !fs::exists(journal, error)) return whole;
  HDB_ASSIGN(const std::string text, read_text(journal, kResultsBytesMax));
  HDB_ASSIGN(std::optional<SavedRun> kept, parse_journal(text, journal.string()));
  if (!kept || (whole && moment_of(*whole) >= moment_of(*kept))) return whole;
  return kept;
}

}  // namespace hdbench::bench
