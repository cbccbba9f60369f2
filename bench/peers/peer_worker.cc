#include "bench/peers/peer_worker.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/base/new_file.h"
#include "engine/base/text.h"
#include "engine/base/write_guard.h"

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

template <typename T>
void take_by_query(const PlainJson& json, std::map<int, T>& values) {
  for (const auto& [query, value] : json.items())
    values[std::atoi(query.c_str())] = value.template get<T>();
}

std::string request(const char* what, int query) {
  return PlainJson{{"do", what}, {"query", query}}.dump();
}

constexpr const char* kFolderName = "hdbench-peer-";  // worker.py knows how it begins
constexpr int kWorkerPollMs = 100;
constexpr std::chrono::seconds kEndsBySelf(2);

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
    take_by_query(json.at("forms"), hello.forms);
    take_by_query(json.value("startup_ms", PlainJson::object()), hello.startup_ms);
    take_by_query(json.value("unread", PlainJson::object()), hello.unread);
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

Result<std::unique_ptr<PeerProcess>> PeerProcess::start(const std::vector<std::string>& arguments,
                                                        const std::atomic<bool>& stop) {
  HDB_ASSIGN(const std::filesystem::path temporary, temporary_directory());
  std::unique_ptr<PeerProcess> process(new PeerProcess(stop));
  HDB_ASSIGN(process->folder_, make_new_directory(temporary, kFolderName));
  HDB_TRY(process->spawn_in_folder(arguments));
  return process;
}

Status PeerProcess::spawn_in_folder(const std::vector<std::string>& arguments) {
  HDB_ASSIGN(Channel sockets, make_sockets(SOCK_STREAM));
  messages_ = FileHandle(::memfd_create("peer-messages", MFD_CLOEXEC));
  if (!messages_.is_open()) return file_error(arguments[0], "no space for its messages", errno);
  const int its = sockets.second.descriptor();
  HDB_ASSIGN(child_, ChildProcess::start(arguments, {its, its, messages_.descriptor()},
                                         "TMPDIR=" + folder_.string()));
  socket_ = std::move(sockets.first);
  is_running_ = true;
  return ok_status();
}

PeerProcess::~PeerProcess() {
  socket_ = FileHandle();
  child_.end(stop_ ? std::chrono::seconds(0) : kEndsBySelf);
  std::error_code error;
  std::filesystem::remove_all(folder_, error);
}

Result<std::string> PeerProcess::read_line() {
  while (true) {
    const std::size_t end = received_.find('\n');
    if (end != std::string::npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return line;
    }
    if (stop_) return usage_error("interrupted");
    if (!is_running_) return data_error(death_);
    pollfd waiting = {socket_.descriptor(), POLLIN, 0};
    if (poll(&waiting, 1, kWorkerPollMs) <= 0) continue;
    char buffer[4096];
    const ssize_t count = recv(socket_.descriptor(), buffer, sizeof(buffer), 0);
    if (count > 0) {
      received_.append(buffer, static_cast<std::size_t>(count));
    } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
      return death();
    }
  }
}

Result<std::string> PeerProcess::ask(std::string_view line) {
  std::string rest = std::string(line) + "\n";
  while (is_running_ && !rest.empty()) {
    if (stop_) return usage_error("interrupted");
    pollfd waiting = {socket_.descriptor(), POLLOUT, 0};
    if (poll(&waiting, 1, kWorkerPollMs) <= 0) continue;
    const ssize_t count =
        send(socket_.descriptor(), rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) {
      rest.erase(0, static_cast<std::size_t>(count));
    } else if (errno != EINTR && errno != EAGAIN) {
      return death();
    }
  }
  return read_line();
}

Error PeerProcess::death() {
  child_.end(kEndsBySelf);
  is_running_ = false;
  const std::string last = last_message();
  death_ = fmt::format("the worker ended {} {}{}{}", child_.signal() != 0 ? "by" : "with",
                       child_.how_it_ended(), last.empty() ? "" : ": ", last);
  return data_error(death_);
}

std::string PeerProcess::last_message() const {
  constexpr off_t kTail = 1024;
  const off_t bytes = lseek(messages_.descriptor(), 0, SEEK_END);
  std::string tail(static_cast<std::size_t>(std::min(bytes, kTail)), '\0');
  const ssize_t count =
      pread(messages_.descriptor(), tail.data(), tail.size(), std::max<off_t>(bytes - kTail, 0));
  tail.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  tail.erase(tail.find_last_not_of(" \n") + 1);
  const std::size_t line = tail.rfind('\n');
  return line == std::string::npos ? tail : tail.substr(line + 1);
}

}  // namespace hdbench::bench
