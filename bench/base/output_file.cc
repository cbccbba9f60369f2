#include "bench/base/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "bench/base/interrupt.h"
#include "engine/base/file_handle.h"
#include "engine/base/new_file.h"
#include "engine/base/write_guard.h"

namespace hdbench::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeadBytes = 64 << 10;  // where a file says who wrote it
constexpr int kReaderPollMs = 50;
constexpr int kReaderPolls = 100;  // five seconds for a pipe's reader to come

std::string says(int error_number) { return std::generic_category().message(error_number); }

Error refused(const OutputFile& output, std::string_view why) {
  return usage_error(fmt::format("{}: {}: {}", output.flag, output.path.string(), why));
}

// Where the text goes.
struct Destination {
  bool is_stream = false;
  int standard = -1;  // of a stream: the descriptor that is open already
  fs::path path;      // links resolved
  std::optional<FileIdentity> replaced;
};

// The first bytes; nothing where it cannot be read.
std::optional<std::string> head_of(const fs::path& path) {
  const FileHandle file = open_read_only(path);
  if (!file.is_open()) return std::nullopt;
  std::string head(kHeadBytes, '\0');
  const ssize_t count = ::pread(file.descriptor(), head.data(), head.size(), 0);
  if (count < 0) return std::nullopt;
  head.resize(static_cast<std::size_t>(count));
  return head;
}

bool is_own_text(std::string_view head) {
  if (head.empty()) return true;
  const auto has = [&](std::string_view part) { return head.find(part) != std::string_view::npos; };
  if (head.front() == '{') {
    return has("\"hdbench_version\"") || has("\"measured by hdbench ");
  }
  constexpr std::string_view kBegins[] = {
      "file,machine,dataset,engine,query,query_text,", "name,processes,unit,median,",
      "# What each memory tier is worth\n", "## Storage primitives\n"};
  if (head.starts_with("<!DOCTYPE html>")) return has("<meta name=\"generator\" content=\"hdbench");
  return std::any_of(std::begin(kBegins), std::end(kBegins),
                     [&](std::string_view begin) { return head.starts_with(begin); });
}

// The null device, its kin, and terminals: a byte that is written there changes nothing.
bool is_harmless_device(const fs::path& path, const struct stat& status) {
  constexpr unsigned kMemoryMajor = 1;
  constexpr std::array<unsigned, 3> kMinors = {3, 5, 7};  // null, zero, full
  if (major(status.st_rdev) == kMemoryMajor) {
    return std::find(kMinors.begin(), kMinors.end(), minor(status.st_rdev)) != kMinors.end();
  }
  const FileHandle device(::open(path.c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  return device.is_open() && ::isatty(device.descriptor()) != 0;
}

// Standard output or error, where the path leads to what one of them is open on.
int standard_descriptor(const struct stat& status) {
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat open = {};
    if (::fstat(descriptor, &open) == 0 && open.st_dev == status.st_dev &&
        open.st_ino == status.st_ino) {
      return descriptor;
    }
  }
  return -1;
}

Result<Destination> stream_to(const OutputFile& output, const struct stat& status) {
  Destination to;
  to.is_stream = true;
  to.path = output.path;
  to.standard = standard_descriptor(status);
  if (to.standard >= 0) return to;
  if (S_ISBLK(status.st_mode)) return refused(output, "is a block device, expected a file");
  if (S_ISSOCK(status.st_mode)) return refused(output, "is a socket, expected a file");
  if (S_ISCHR(status.st_mode) && !is_harmless_device(output.path, status)) {
    return refused(output, "is a device, expected a file");
  }
  return to;
}

Status check_replaceable(const OutputFile& output, const fs::path& path) {
  const std::optional<std::string> head = head_of(path);
  if (head && begins_as_kdb_file(*head)) {
    return refused(output, "is a file of kdb+'s: never replaced");
  }
  if (output.force || (head && is_own_text(*head))) return ok_status();
  return refused(output, "exists and was not written by hdbench: add --force to replace it");
}

// There are directories (of the kernel's) that one may write, and no file can be made in.
Status check_output_directory(const OutputFile& output, const fs::path& path) {
  const fs::path directory = path.parent_path();
  std::error_code error;
  if (!fs::is_directory(directory, error)) {
    return refused(output, fmt::format("no directory {}", directory.string()));
  }
  if (::access(directory.c_str(), W_OK) != 0) {
    return refused(output, fmt::format("{}: {}", directory.string(), says(errno)));
  }
  const Result<NewFile> tried = NewFile::make(path);
  return tried.ok()
             ? ok_status()
             : Status(usage_error(fmt::format("{}: {}", output.flag, tried.error().message)));
}

Result<Destination> file_at(const OutputFile& output, const struct stat* status) {
  Destination to;
  HDB_ASSIGN(const ResolvedPath resolved, resolve_path(output.path));
  to.path = resolved.path;
  HDB_TRY(check_outside_databases(output.flag, output.path));
  if (status != nullptr) {
    to.replaced = FileIdentity{status->st_dev, status->st_ino};
    // A path of the kernel's (/proc/self/fd/N) can lead to a file whose name has gone.
    if (identity_of(to.path) != to.replaced) return refused(output, "has no name any more");
    to.standard = standard_descriptor(*status);
    to.is_stream = to.standard >= 0;
    if (to.is_stream) return to;
    HDB_TRY(check_replaceable(output, to.path));
  }
  HDB_TRY(check_output_directory(output, to.path));
  return to;
}

Result<Destination> decide(const OutputFile& output) {
  struct stat status = {};
  if (::stat(output.path.c_str(), &status) != 0) {
    if (errno != ENOENT) return refused(output, says(errno));
    return file_at(output, nullptr);
  }
  if (S_ISDIR(status.st_mode)) return refused(output, "is a directory, a file is expected");
  if (S_ISREG(status.st_mode)) return file_at(output, &status);
  return stream_to(output, status);
}

// A pipe without a reader is waited for, not for ever, and not past an interrupt.
Result<FileHandle> open_stream(const OutputFile& output) {
  for (int poll_count = 0; poll_count == 0 || (poll_count < kReaderPolls && !interrupted());
       ++poll_count) {
    FileHandle file(::open(output.path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (file.is_open()) return file;
    if (errno != ENXIO) return file_error(output.path, "cannot open", errno);
    ::poll(nullptr, 0, kReaderPollMs);
  }
  return data_error(interrupted()
                        ? "interrupted"
                        : fmt::format("{}: a pipe that nobody reads", output.path.string()));
}

Status write_stream(const OutputFile& output, int descriptor, std::string_view text) {
  int polls = 0;
  while (!text.empty()) {
    if (polls >= kReaderPolls / 5 && interrupted().load()) {
      return data_error(fmt::format("{}: interrupted", output.path.string()));
    }
    pollfd taking{descriptor, POLLOUT, 0};
    if (::poll(&taking, 1, kReaderPollMs) <= 0) {
      polls = interrupted().load() ? polls + 1 : 0;
      continue;
    }
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if ((errno == EAGAIN || errno == EINTR) && interrupted()) {
      return data_error(fmt::format("{}: interrupted", output.path.string()));
    } else if (errno == EAGAIN) {
      pollfd ready{descriptor, POLLOUT, 0};
      ::poll(&ready, 1, kReaderPollMs);
    } else if (errno != EINTR) {
      return file_error(output.path, "cannot be written", errno);
    }
  }
  return ok_status();
}

Status write_to(const OutputFile& output, const Destination& to, std::string_view text) {
  if (to.standard >= 0) return write_stream(output, to.standard, text);
  if (to.is_stream) {
    HDB_ASSIGN(const FileHandle file, open_stream(output));
    return write_stream(output, file.descriptor(), text);
  }
  HDB_ASSIGN(NewFile file, NewFile::make(to.path));
  HDB_TRY(file.write(text));
  return file.publish(to.replaced);
}

// A name among the kernel's abstract sockets: it takes no file, and goes with the process however
// that ends. Where there are no sockets nothing is reserved.
Status reserve(const OutputFile& output, const fs::path& path) {
  static std::map<std::string, FileHandle> reserved;
  struct stat directory = {};
  if (::stat(path.parent_path().c_str(), &directory) != 0) return refused(output, says(errno));
  const std::string name =
      fmt::format("hdbench-output/{:x}/{:x}/{:016x}", directory.st_dev, directory.st_ino,
                  std::hash<std::string>()(path.filename().string()));
  if (reserved.contains(name)) return ok_status();
  FileHandle socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  name.copy(address.sun_path + 1, sizeof(address.sun_path) - 1);  // abstract: a zero comes first
  const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (::bind(socket.descriptor(), reinterpret_cast<const sockaddr*>(&address), bytes) == 0) {
    reserved.emplace(name, std::move(socket));
  } else if (errno == EADDRINUSE) {
    return refused(output, "another hdbench that still runs will write it");
  }
  return ok_status();
}

}  // namespace

Status check_output(const OutputFile& output) {
  if (!output.is_given()) return ok_status();
  HDB_ASSIGN(const Destination to, decide(output));
  return to.is_stream ? ok_status() : reserve(output, to.path);
}

Status write_output(const OutputFile& output, std::string_view text) {
  if (!output.is_given()) return ok_status();
  HDB_ASSIGN(const Destination to, decide(output));
  return write_to(output, to, text);
}

Result<std::optional<fs::path>> file_of(const OutputFile& output) {
  if (!output.is_given()) return std::optional<fs::path>();
  HDB_ASSIGN(Destination to, decide(output));
  return to.is_stream ? std::optional<fs::path>() : std::optional(std::move(to.path));
}

Result<FileHandle> begin_output(const OutputFile& output, std::string_view text) {
  HDB_ASSIGN(const Destination to, decide(output));
  HDB_TRY(write_to(output, to, text));
  constexpr int kHow = O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  FileHandle file(::open(to.path.c_str(), kHow));
  if (!file.is_open()) return file_error(output.path, "cannot be opened", errno);
  return file;
}

}  // namespace hdbench::bench
