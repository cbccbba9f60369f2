#include "bench/storage/filesystems/question.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "bench/base/interrupt.h"
#include "engine/base/printable_text.h"

namespace hdbench::bench {
namespace {

constexpr int kAnswerPollMs = 50;
constexpr std::size_t kAnswerMax = 64;

}  // namespace

Result<bool> is_agreed(const std::string& question, int descriptor) {
  std::fprintf(stderr, "%s [y/N] ", printable(question).c_str());
  std::string answer;
  while (answer.size() < kAnswerMax && !answer.ends_with('\n')) {
    if (interrupted().load()) {
      std::fputc('\n', stderr);
      return usage_error("interrupted");
    }
    pollfd waited{descriptor, POLLIN, 0};
    if (::poll(&waited, 1, kAnswerPollMs) <= 0) continue;
    char letter = 0;
    const ssize_t got = ::read(descriptor, &letter, 1);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) break;
    answer += letter;
  }
  answer.erase(answer.find_last_not_of(" \t\r\n") + 1);
  return answer == "y" || answer == "yes";
}

}  // namespace hdbench::bench
