// hdbench predict: what queries take on media that this machine has not, and at another size.
#include <fmt/format.h>

#include <optional>

#include "bench/base/lines.h"
#include "bench/base/text_sink.h"
#include "bench/cli/axis_flags.h"
#include "bench/cli/commands.h"
#include "bench/model/query_check.h"
#include "bench/predict/prediction.h"
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
  std::size_t users = 1;
  std::size_t repetitions = 5;
};

std::string prediction_text(const Prediction& prediction) {
  TextRows rows{{"query", "medium", "ms", "from", "to", "work", "bandwidth", "latency", "waiting"}};
  for (const PredictedQuery& query : prediction.queries) {
    for (std::size_t m = 0; m < query.on.size(); ++m) {
      const PredictedTime& time = query.on[m];
      std::vector<std::string> row{m == 0 ? query_label(query.id) : "", prediction.media[m]};
      for (const double ms : {time.ms, time.low_ms, time.high_ms, time.work_ms, time.bandwidth_ms,
                              time.latency_ms, time.waiting_ms})
        row.push_back(fmt::format("{:.3f}", ms));
      rows.push_back(std::move(row));
    }
  }
  return aligned(rows, 2);
}

Result<int> predict_command(const FlagSet&, PredictFlags& flags) {
  std::filesystem::path query_file = flags.queries;
  if (flags.queries.empty()) {
    HDB_ASSIGN(query_file, find_query_file("paper.q"));
  }
  HDB_ASSIGN(SessionOptions options, session_options(flags.axes));
  HDB_ASSIGN(std::vector<ListedQuery> all, queries_of_file(query_file, flags.id, options.params));
  PredictionQuestion question;
  HDB_ASSIGN(question.media, parse_words("--on", flags.media));
  question.rows = flags.rows;
  question.partitions = flags.partitions;
  question.users = flags.users;
  question.repetitions = flags.repetitions;
  HDB_ASSIGN(const std::unique_ptr<Session> session, Session::open(std::move(options)));
  std::vector<std::string> left_out;
  HDB_ASSIGN(all, runnable_queries(std::move(all), session->database(), left_out));
  HDB_ASSIGN(Setting setting, one_setting(flags.axes, session->pools().all_threads()));
  HDB_ASSIGN(const Prediction prediction, predict(*session, all, setting, question));
  HDB_TRY(print_text(prediction_text(prediction)));
  return kFine;
}

}  // namespace

void add_predict_command(Commands& commands) {
  auto [command, flags] = commands.add<PredictFlags>(
      "predict", "Say what queries take on media that this machine has not, and at another size",
      predict_command);
  add_axis_flags(command, AxisForm::kSearch, flags.axes);
  command.group("Questions");
  command.add_path("--queries", PathUse::kReadsFile, flags.queries,
                   "a query file; default: the paper's eleven, as printed");
  command.add("--id", "N", flags.id, "one query of the file alone");
  command.add("--on", "LIST", flags.media, "media with profiles, and dram");
  command.add("--rows", "N", flags.rows, "rows of the largest table; default: as it is");
  command.add("--partitions", "N", flags.partitions, "its partitions; default: as they are");
  command.add("--users", "N", flags.users, "so many ask each query at once");
  command.add("--reps", "N", flags.repetitions, "recorded runs of each query");
}

}  // namespace hdbench::bench
