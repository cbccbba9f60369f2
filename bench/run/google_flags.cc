#include "bench/run/google_flags.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

namespace hdbench::bench {
namespace {

Result<std::size_t> count_of(std::string_view name, std::string_view text) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error == std::errc{} && end == text.data() + text.size() && count >= 1) return count;
  return usage_error(fmt::format("{}: '{}' is not a number from 1 up", name, text));
}

bool is_true(std::string_view text) { return text == "true" || text == "1" || text.empty(); }

struct Flag {
  std::string_view name;
  std::string_view value;
};

Flag split(std::string_view argument) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string_view::npos) return {argument, {}};
  return {argument.substr(0, equals), argument.substr(equals + 1)};
}

Error not_taken(std::string_view name) {
  std::string_view instead =
      "taken are --benchmark_filter, _list_tests, _repetitions, _format, _out, _out_format and "
      "_context";
  if (name == "--benchmark_min_time") {
    instead = "a cell is called once a repetition: --reps and --precision say how often";
  } else if (name.ends_with("_aggregates_only")) {
    instead = "a cell is one entry, with its median and all its times";
  }
  return usage_error(fmt::format("{}: not here: {}", name, instead));
}

}  // namespace

Result<GoogleFlags> parse_google_flags(const std::vector<std::string>& arguments) {
  GoogleFlags flags;
  for (const std::string& argument : arguments) {
    const Flag flag = split(argument);
    if (flag.name == "--benchmark_filter") {
      flags.filter = flag.value == "all" ? "" : flag.value;
    } else if (flag.name == "--benchmark_list_tests") {
      flags.list = is_true(flag.value);
    } else if (flag.name == "--benchmark_repetitions") {
      HDB_ASSIGN(flags.repetitions, count_of(flag.name, flag.value));
    } else if (flag.name == "--benchmark_format") {
      if (flag.value != "json" && flag.value != "console") {
        return usage_error(fmt::format("{}: '{}': known are json and console (report gives csv)",
                                       flag.name, flag.value));
      }
      flags.json = flag.value == "json";
    } else if (flag.name == "--benchmark_out_format") {
      if (flag.value != "json") {
        return usage_error(fmt::format("{}: '{}': --benchmark_out writes json (report gives csv)",
                                       flag.name, flag.value));
      }
    } else if (flag.name == "--benchmark_context") {
      const Flag entry = split(flag.value);
      if (entry.name.empty() || entry.name.size() == flag.value.size()) {
        return usage_error(fmt::format("{}: '{}': expected KEY=VALUE", flag.name, flag.value));
      }
      flags.context.emplace_back(entry.name, entry.value);
    } else {
      return not_taken(flag.name);
    }
  }
  return flags;
}

}  // namespace hdbench::bench
