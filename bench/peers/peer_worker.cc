#include "bench/peers/peer_worker.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/base/text.h"

namespace hdbench::bench {
namespace {

using PlainJson = nlohmann::json;

Result<PlainJson> parsed(Result<std::string> line) {
  if (!line.ok()) return line.error();
  const bool is_too_deep = json_depth(*line) > kJsonDepthMax;
  PlainJson json = is_too_deep ? PlainJson() : PlainJson::parse(*line, nullptr, false);
  if (!json.is_object()) {
    return data_error(fmt::format("the worker said \"{}\", a JSON object is expected", *line));
  }
  if (json.contains("error")) {
    const PlainJson& error = json["error"];
    return data_error(error.is_string() ? error.get<std::string>() : error.dump());
  }
  return json;
}

// What `take` makes of an answer; a field that is not there or of another type is an error.
template <typename Take>
auto fields_of(Result<PlainJson> json, Take take) -> Result<decltype(take(*json))> {
  if (!json.ok()) return json.error();
  try {
    return take(*json);
  } catch (const PlainJson::exception& error) {
    return data_error(fmt::format("the worker said {}: {}", json->dump(), error.what()));
  }
}

std::uint64_t from_hex(const std::string& text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return value;
}

// Zeros where it does not say.
PeerHeld held_of(const PlainJson& json) {
  PeerHeld memory{json.value("held_bytes", std::uint64_t{0}),
                  json.value("mapped_bytes", std::uint64_t{0}), std::nullopt};
  if (json.contains("available_bytes")) memory.available_bytes = json["available_bytes"];
  return memory;
}

std::string request(const char* what, int query) {
  return PlainJson{{"do", what}, {"query", query}}.dump();
}

}  // namespace

Result<std::unique_ptr<PeerWorker>> PeerWorker::start(const PeerStart& start,
                                                      const std::atomic<bool>& stop) {
  std::error_code error;  // without /proc the worker says that it has no program
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  HDB_ASSIGN(auto process,
             PeerProcess::start(
                 {start.python, "-B", start.script.string(), start.engine, start.database.string(),
                  std::to_string(start.threads), start.queries.string(), program.string(),
                  fmt::format("{}", start.warm_seconds)},
                 stop));
  return std::unique_ptr<PeerWorker>(new PeerWorker(std::move(process)));
}

Result<PeerHello> PeerWorker::hello() {
  return fields_of(parsed(process_->read_line()), [](const PlainJson& json) {
    PeerHello hello{
        json.at("version"), json.at("codes"), json.at("loaded"), {}, held_of(json), {}, {}};
    for (const auto& [query, form] : json.at("forms").items()) {
      hello.forms[std::atoi(query.c_str())] = form.get<std::string>();
    }
    const PlainJson startups = json.value("startup_ms", PlainJson::object());
    for (const auto& [query, ms] : startups.items()) {
      hello.startup_ms[std::atoi(query.c_str())] = ms.get<double>();
    }
    const PlainJson unread = json.value("unread", PlainJson::object());
    for (const auto& [query, source] : unread.items()) {
      hello.unread[std::atoi(query.c_str())] = source.get<std::string>();
    }
    return hello;
  });
}

Result<PeerProof> PeerWorker::verify(int query) {
  return fields_of(parsed(process_->ask(request("verify", query))), [](const PlainJson& json) {
    PeerProof proof{json.at("rows"), from_hex(json.at("checksum")), std::nullopt, held_of(json)};
    if (json.contains("difference")) proof.difference = json["difference"].get<std::string>();
    return proof;
  });
}

Result<PeerTime> PeerWorker::run(int query) {
  return fields_of(parsed(process_->ask(request("run", query))), [](const PlainJson& json) {
    return PeerTime{json.at("ms"), json.at("cpu_ms"), json.at("rows"), held_of(json)};
  });
}

}  // namespace hdbench::bench
