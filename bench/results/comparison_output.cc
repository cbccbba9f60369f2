#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/base/json_value.h"
#include "bench/base/number_text.h"
#include "bench/results/comparison.h"
#include "engine/base/text.h"

namespace hdbench::bench {
namespace {

std::string interval_text(const std::optional<Interval>& interval) {
  return interval ? fmt::format("{:.3f} .. {:.3f}", interval->low, interval->high) : "-";
}

std::vector<std::string> parts_of_name(const std::string& name) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
    end = name.find('/', begin);
    parts.push_back(name.substr(begin, end - begin));
  }
  return parts;
}

// What all cells have in common is printed once, above the table.
struct ShortNames {
  std::vector<std::string> common;
  std::vector<std::string> names;
  std::size_t width = 4;
};

ShortNames short_names(const std::vector<ComparedCell>& cells) {
  std::map<std::string, std::size_t> counts;
  for (const ComparedCell& cell : cells) {
    for (const std::string& part : parts_of_name(cell.name)) ++counts[part];
  }
  const auto is_common = [&](const std::string& part) { return counts[part] == cells.size(); };
  ShortNames names;
  for (const ComparedCell& cell : cells) {
    std::string name;
    for (const std::string& part : parts_of_name(cell.name)) {
      if (part.front() == 'Q' || !is_common(part)) name += (name.empty() ? "" : "/") + part;
    }
    names.width = std::max(names.width, name.size());
    names.names.push_back(std::move(name));
  }
  if (cells.empty()) return names;
  for (const std::string& part : parts_of_name(cells.front().name)) {
    if (part.front() != 'Q' && is_common(part)) names.common.push_back(part);
  }
  return names;
}

std::string flags_text(const ComparedCell& cell) {
  std::string text(word(cell.judged.verdict));
  if (cell.judged.regression) text += ", REGRESSION";
  if (!cell.same_result) text += ", ANOTHER RESULT";
  return text;
}

// The larger of both sides.
std::string cell_noise_text(const Judgement& judged) {
  if (!judged.noise_a && !judged.noise_b) return "-";
  return fmt::format("{:.1f} %",
                     100 * std::max(judged.noise_a.value_or(0), judged.noise_b.value_or(0)));
}

std::string noise_text(const char* side, const std::optional<SideNoise>& noise, bool has_files) {
  if (!noise) return {};
  return fmt::format(
      "noise, {0} against {0} ({1}): {2:.1f} % in the middle cell, {3:.1f} % at most\n", side,
      has_files ? "its files" : "halves of its only file", 100 * noise->middle, 100 * noise->most);
}

std::string comparison_table(const Comparison& comparison) {
  const ShortNames names = short_names(comparison.cells);
  std::string text;
  if (!names.common.empty()) text += fmt::format("all: {}\n", fmt::join(names.common, ", "));
  text += fmt::format("\n{:<{}} {:>10} {:>10} {:>7}  {:<16}  {:>7}  {:>7}\n", "cell", names.width,
                      "A ms", "B ms", comparison.held_by == HeldBy::kTime ? "B / A" : "left",
                      "interval", "machine", "noise");
  for (std::size_t at = 0; at < comparison.cells.size(); ++at) {
    const ComparedCell& cell = comparison.cells[at];
    const Judgement& judged = cell.judged;
    text += fmt::format(
        "{:<{}} {:>10.3f} {:>10.3f} {:>7.3f}  {:<16}  {:>7}  {:>7}  {}\n", names.names[at],
        names.width, judged.a_ms, judged.b_ms, judged.ratio.value,
        interval_text(judged.ratio.interval),
        cell.best_possible_ratio ? fmt::format("{:.3f}", *cell.best_possible_ratio) : "-",
        cell_noise_text(judged), flags_text(cell));
  }
  return text;
}

std::string means_text(const Comparison& comparison) {
  std::string text;
  if (comparison.geometric_mean) {
    text += fmt::format("\nB / A{}: geometric mean {:.3f}, maximum {:.3f}, of {} cells\n",
                        comparison.held_by == HeldBy::kTime ? ""
                        : comparison.not_divided == 0
                            ? ", less the machine's part"
                            : fmt::format(", less the machine's part but of {} emulated cells",
                                          comparison.not_divided),
                        *comparison.geometric_mean, *comparison.maximum, comparison.cells.size());
  }
  if (comparison.best_possible_mean) {
    text += fmt::format(
        "machine (its own least time for the same bytes, measured in the same rounds), B / A: "
        "geometric mean {:.3f}, of {} cells\n",
        *comparison.best_possible_mean, comparison.best_possible_cells);
  }
  text += noise_text("A", comparison.noise_a, comparison.files_of_a > 1);
  text += noise_text("B", comparison.noise_b, comparison.files_of_b > 1);
  return text;
}

Json percent_of(const std::optional<double>& share) { return share ? Json(100 * *share) : Json(); }

Json noise_json(const std::optional<SideNoise>& noise, std::size_t files) {
  if (!noise) return {};
  return {{"of", files > 1 ? "files" : "halves of the only file"},
          {"middle_percent", 100 * noise->middle},
          {"most_percent", 100 * noise->most}};
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
  std::string text;
  for (const ComparedFile& one : comparison.files) {
    text += fmt::format("{}: {} ({}, {})\n", one.label, one.file, one.commit, one.date);
  }
  for (const std::string& line : comparison.notes) text += fmt::format("note: {}\n", line);
  text += comparison_table(comparison);
  for (const OtherQuery& one : comparison.other_queries) {
    text += fmt::format("not the same query: {} ({}): '{}' in {}, '{}' in {}\n", one.query,
                        counted(one.cells, "cell"), printable_line(one.one.text), one.one.label,
                        printable_line(one.other.text), one.other.label);
  }
  for (const std::string& line : comparison.no_figure) text += fmt::format("0N: {}\n", line);
  for (const std::string& name : comparison.only_a) text += fmt::format("only in A: {}\n", name);
  for (const std::string& name : comparison.only_b) text += fmt::format("only in B: {}\n", name);
  text += means_text(comparison);
  text += fmt::format(
      "{} faster, {} slower, {} the same, {} inconclusive, {} not judged; {} regression{} over "
      "{:g} %\n",
      comparison.count(Verdict::kFaster), comparison.count(Verdict::kSlower),
      comparison.count(Verdict::kSame), comparison.count(Verdict::kInconclusive),
      comparison.not_judged(), comparison.regressions, comparison.regressions == 1 ? "" : "s",
      comparison.threshold_percent);
  return text;
}

std::string comparison_json(const Comparison& comparison) {
  Json cells = Json::array();
  for (const ComparedCell& cell : comparison.cells) {
    const Judgement& judged = cell.judged;
    const auto& interval = judged.ratio.interval;
    cells.push_back({{"name", cell.name},
                     {"a_ms", judged.a_ms},
                     {"b_ms", judged.b_ms},
                     {"ratio", judged.ratio.value},
                     {"interval", interval ? Json{interval->low, interval->high} : Json()},
                     {"best_possible_ratio", or_null(cell.best_possible_ratio)},
                     {"noise_a_percent", percent_of(judged.noise_a)},
                     {"noise_b_percent", percent_of(judged.noise_b)},
                     {"verdict", word(judged.verdict)},
                     {"regression", judged.regression},
                     {"same_result", cell.same_result}});
  }
  Json files = Json::array();
  for (const ComparedFile& one : comparison.files) {
    files.push_back(
        {{"side", one.label}, {"file", one.file}, {"commit", one.commit}, {"date", one.date}});
  }
  Json other_queries = Json::array();
  for (const OtherQuery& one : comparison.other_queries) {
    Json texts = Json::array();
    for (const QueryText* of : {&one.one, &one.other})
      texts.push_back({{"side", of->label}, {"text", of->text}});
    other_queries.push_back(
        {{"query", one.query}, {"cells", one.cells}, {"texts", std::move(texts)}});
  }
  Json json = Json::object();
  json["threshold_percent"] = comparison.threshold_percent;
  json["by"] = comparison.held_by == HeldBy::kTime ? "time" : "ceiling";
  json["files"] = std::move(files);
  json["geometric_mean"] = or_null(comparison.geometric_mean);
  json["maximum"] = or_null(comparison.maximum);
  json["best_possible_geometric_mean"] = or_null(comparison.best_possible_mean);
  json["noise_a"] = noise_json(comparison.noise_a, comparison.files_of_a);
  json["noise_b"] = noise_json(comparison.noise_b, comparison.files_of_b);
  for (const Verdict verdict :
       {Verdict::kFaster, Verdict::kSlower, Verdict::kSame, Verdict::kInconclusive}) {
    json[std::string(word(verdict))] = comparison.count(verdict);
  }
  json["not_judged"] = comparison.not_judged();
  json["regressions"] = comparison.regressions;
  json["different_results"] = comparison.different_results;
  json["cells"] = std::move(cells);
  json["only_a"] = comparison.only_a;
  json["only_b"] = comparison.only_b;
  json["no_figure"] = comparison.no_figure;
  json["other_queries"] = std::move(other_queries);
  json["notes"] = comparison.notes;
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace hdbench::bench
