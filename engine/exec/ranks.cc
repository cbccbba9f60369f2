#include "engine/exec/ranks.h"

#include <optional>

#include "engine/base/byte_stream.h"

namespace hdbench {

void Ranks::send_sized(Bytes bytes) {
  const std::uint64_t size = bytes.size();
  send(std::as_bytes(std::span(&size, 1)));
  send(bytes);
}

std::vector<std::byte> Ranks::receive_sized(std::size_t from) {
  std::uint64_t size = 0;
  receive(from, std::as_writable_bytes(std::span(&size, 1)));
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  receive(from, bytes);
  return bytes;
}

void Ranks::report(const Status& status) {
  ByteSink said;
  if (!status.ok()) {
    said.put(status.error().kind);
    said.put_text(status.error().message);
  }
  send_sized(said.bytes());
}

Status Ranks::take_reports() {
  std::optional<Error> failed;
  for (std::size_t from = 1; from < count(); ++from) {
    const std::vector<std::byte> said = receive_sized(from);
    if (said.empty() || failed) continue;
    ByteSource in(said);
    const auto kind = in.take<ErrorKind>();
    failed = Error{kind, name(from) + ": " + in.take_text(), {}};
  }
  return failed ? Status(*failed) : ok_status();
}

void Ranks::answer(const Status& status, Bytes bytes) {
  report(status);
  send_sized(bytes);
}

// Those of ranks that failed are taken, too: no message is left over.
Result<Ranks::Answers> Ranks::take_answers() {
  const Status all = take_reports();
  Answers answers(1);
  for (std::size_t from = 1; from < count(); ++from) answers.push_back(receive_sized(from));
  if (!all.ok()) return all.error();
  return answers;
}

}  // namespace hdbench
