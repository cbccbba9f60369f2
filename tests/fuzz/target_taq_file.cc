// One or two Daily TAQ files, the second behind a form feed: imported into a database that `verify`
// finds nothing wrong in.
#include <algorithm>

#include "datagen/import/taq_import.h"
#include "engine/inspect/verify.h"
#include "engine/storage/database.h"
#include "tests/fuzz/fuzz_input.h"

namespace hdbench::fuzz {
namespace {

constexpr std::byte kFileMark{'\f'};

// Nothing is left after an error, and all rows are there after none.
void check_import(const std::filesystem::path& folder, const datagen::ImportReport& report) {
  const auto database = Database::open(folder / "db");
  require(database.ok(), "what was imported opens");
  const VerifyReport found = verify(**database);
  require(found.findings.empty() && found.notes.empty(), "what was imported is right");
  require(found.rows == report.rows[0] + report.rows[1], "the rows are there");
  std::uint64_t rows = 0;
  for (const datagen::TaqFileReport& file : report.files) {
    require(file.rows <= file.lines, "no more rows than lines");
    std::uint64_t bad = 0;
    for (const std::uint64_t count : file.bad) bad += count;
    require(bad == file.bad_lines(), "each bad line has one reason");
    for (const datagen::TaqColumnReport& column : file.columns) {
      require(column.nulls.count <= file.rows && column.rounded.count <= file.rows,
              "no more values of a column than rows");
    }
    static_cast<void>(datagen::warnings_of(file));
    rows += file.rows;
  }
  require(rows == found.rows, "as many rows as the files have");
}

}  // namespace

void run_taq_file(Bytes input) {
  const std::filesystem::path folder = scratch() / "taq";
  std::error_code error;
  std::filesystem::remove_all(folder, error);
  const auto mark = std::find(input.begin(), input.end(), kFileMark);
  const auto first = static_cast<std::size_t>(mark - input.begin());
  std::vector<std::filesystem::path> files{folder / "trades_20200107"};
  write_file(files.back(), input.first(first));
  if (mark != input.end()) {
    files.push_back(folder / "quotes");
    write_file(files.back(), input.subspan(first + 1));
  }
  datagen::ImportOptions options;
  if (input.size() % 2 == 0) options.date = 0;
  if (input.size() % 3 == 0) options.price_type = QType::kFloat;
  const auto report = datagen::import_taq(folder / "db", files, options);
  if (report.ok()) return check_import(folder, *report);
  require(
      !std::filesystem::exists(folder / "db") && !std::filesystem::exists(folder / "db.partial"),
      "nothing is left of what failed");
}

}  // namespace hdbench::fuzz
