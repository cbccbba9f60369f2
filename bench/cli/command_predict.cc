// hdbench predict: what queries take on media that this machine has not, and at another size.
#include <fmt/format.h>

#include <optional>

#include "bench/base/output_file.h"
#include "bench/base/report_error.h"
#include "bench/base/text_sink.h"
#include "bench/cli/axis_flags.h"
#include "bench/cli/commands.h"
#include "bench/model/query_check.h"
#include "bench/predict/prediction.h"
#include "bench/report/text/text_reports.h"
#include "queries/query_file.h"

namespace hdbench::bench {
namespace {

struct PredictFlags {
  AxisFlags axes;
  std::string queries;
  std::optional<int> id;
  std::string media = "dram,cxl:cxl-cz122,nvme:nvme-p5510";
  std::optional<double> rows;
  std::optional<double> partitions;
  std::optional<double> columns;
  std::size_t users = 1;
  std::size_t cpus = 0;
  double beside_gb_s = 0;
  std::size_t repetitions = 5;
  std::string format = "table";
  std::string out;
  bool force = false;
};

Result<int> predict_command(const FlagSet&, PredictFlags& flags) {
  HDB_TRY(check_word("--format", flags.format, {"table", "json"}));
  const OutputFile out{"--out", flags.out, flags.force};
  HDB_TRY(check_output(out));
  std::filesystem::path query_file = flags.queries;
  if (flags.queries.empty()) {
    HDB_ASSIGN(query_file, find_query_file("paper.q"));
  }
  HDB_ASSIGN(SessionOptions options, session_options(flags.axes));
  std::vector<std::string> left_out;
  HDB_ASSIGN(std::vector<ListedQuery> all,
             queries_of_file(query_file, flags.id, options.params, &left_out));
  PredictionQuestion question;
  HDB_ASSIGN(question.media, parse_words("--on", flags.media));
  question.rows = flags.rows;
  question.partitions = flags.partitions;
  question.columns = flags.columns;
  question.use = {flags.users, flags.cpus, flags.beside_gb_s};
  question.repetitions = flags.repetitions;
  HDB_ASSIGN(const std::unique_ptr<Session> session, Session::open(std::move(options)));
  HDB_ASSIGN(all, runnable_queries(std::move(all), session->database(), left_out));
  for (const std::string& line : left_out) tell(fmt::format("not run: {}", line));
  HDB_ASSIGN(Setting setting, one_setting(flags.axes, session->pools().all_threads()));
  HDB_ASSIGN(const Prediction prediction, predict(*session, all, setting, question));
  if (flags.format == "json") {
    HDB_TRY(print_text(to_json_text(prediction)));
    return kFine;
  }
  const Status written = write_output(out, to_json_text(prediction));
  HDB_TRY(print_text(forecast_text({{}, {prediction}, {}}, output_look(100).columns)));
  if (!written.ok()) return written.error();
  return kFine;
}

}  // namespace

void add_predict_command(Commands& commands) {
  auto [command, flags] = commands.add<PredictFlags>(
      "predict", "Say what queries take on media that this machine has not, and at another size",
      predict_command);
  add_axis_flags(command, AxisForm::kRecord, flags.axes);
  command.group("Questions");
  command.add_path("--queries", PathUse::kReadsFile, flags.queries,
                   "a query file; default: the paper's eleven, as printed");
  command.add("--id", "N", flags.id, "one query of the file alone");
  command.add("--on", "LIST", flags.media,
              "the media: dram, and any with a profile (hdbench topo --profiles); disks are cold");
  command.add("--rows", "N", flags.rows, "rows of the largest table; default: as it is");
  command.add("--partitions", "N", flags.partitions, "its partitions; default: as they are");
  command.add("--columns", "N", flags.columns,
              "its columns, with that of its partitions: what rows that are shown whole show");
  command.add("--users", "N", flags.users, "so many ask each query at once");
  command.add("--cpus", "N", flags.cpus, "that they share; default: as many as a user's threads");
  command.add("--beside", "GB/S", flags.beside_gb_s,
              "other work reads so much of this machine's memory meanwhile, on one thread");
  command.add("--reps", "N", flags.repetitions, "recorded runs of each query");
  command.group("Output");
  command.add("--format", "WORD", flags.format, "table or json");
  command.add_path("--out", PathUse::kWritesFile, flags.out,
                   "write the prediction here as JSON, for hdbench report");
  command.add_flag("--force", flags.force, kForceHelp);
  command.examples(
      {"hdbench predict /data/hdb --on dram,cxl:cxl-cz122,nvme:nvme-p5510",
       "hdbench predict /data/hdb --queries mine.q --on cxl:./mine.json -s 16",
       "hdbench predict /data/hdb --rows 2e9 --partitions 784 -s 4 --on nvme:nvme-pcie3"});
}

}  // namespace hdbench::bench
