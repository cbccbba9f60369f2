// Keeps what an unfinished run has measured, beside its results: FILE.partial for --out FILE.
//
// A line is a results.json of its own, without what follows from other fields: the first has all
// cells, each other one the cells that have changed since, and the context of that moment. The last
// line of a cell counts. results.json is written after each visit to a placement; the journal keeps
// the rounds between. Each line is one write and lies on the device before the next cell is run, so
// that a kill loses no round that had ended; a line that was cut short has no line end and is left
// out.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "bench/base/output_file.h"
#include "bench/model/cell_result.h"
#include "bench/model/run_context.h"
#include "bench/results/results_json.h"
#include "engine/base/file_handle.h"
#include "engine/base/result.h"

namespace hdbench::bench {

class RunJournal {
 public:
  // Nothing is kept until begin().
  RunJournal() = default;

  // Beside these results; where they are no file nothing is kept. Nothing is written yet. Errors:
  // check_output()'s, of the journal; then nothing is kept.
  Status begin(const OutputFile& results);

  // Whether one is there, of this run or an earlier one.
  bool is_there() const { return is_own_; }
  // Empty: nothing is kept.
  const std::filesystem::path& path() const { return file_.path; }

  // Appends the cells that have changed; begins anew with all where that is due. Errors: kData: the
  // line could not be written. From there on nothing is kept, and what was stays.
  Status append(const RunContext& context, const std::vector<CellResult>& all,
                const std::vector<CellResult>& changed);
  // results.json has everything now: what is appended next begins anew.
  void begin_anew();
  // results.json has everything, and nothing will be appended.
  void remove();

 private:
  OutputFile file_;
  bool is_own_ = false;  // what is there is hdbench's
  FileHandle open_;      // for appending; not open: begins anew
  std::size_t bytes_ = 0;
  std::size_t first_bytes_ = 0;
  bool has_failed_ = false;
};

// What all lines say together; nothing where there is no whole line. Errors: kData, naming file and
// line.
Result<std::optional<SavedRun>> parse_journal(std::string_view text, const std::string& file);

// What `run --resume` goes on from: of the journal and results.json the later one; nothing where
// neither is there. Errors: kUsage: `results` is no regular file; kData: of either.
Result<std::optional<SavedRun>> read_unfinished(const std::filesystem::path& results,
                                                const std::filesystem::path& journal);

}  // namespace hdbench::bench
