// The seams of libFuzzer: hdbench_fuzz TARGET [libFuzzer's flags and directories].
//
// The target's name is kept in the environment too, for the copies of itself that libFuzzer starts.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/mutators.h"

namespace {

constexpr const char* kVariable = "HDBENCH_FUZZ_TARGET";
const hdbench::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  const bool named = *count > 1 && hdbench::fuzz::find_target((*words)[1]) != nullptr;
  if (named) {
    ::setenv(kVariable, (*words)[1], 1);
    (*words)[1] = (*words)[0];
    ++*words;
    --*count;
  }
  const char* name = std::getenv(kVariable);
  chosen = name == nullptr ? nullptr : hdbench::fuzz::find_target(name);
  if (chosen == nullptr) {
    std::fprintf(stderr, "usage: hdbench_fuzz TARGET [libFuzzer's flags]; the targets are:\n");
    for (const auto& known : hdbench::fuzz::targets()) {
      std::fprintf(stderr, "%s\n", std::string(known.name).c_str());
    }
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->run({reinterpret_cast<const std::byte*>(data), size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  const auto bytes_mutator = [](std::string& text, std::size_t room) {
    const std::size_t before = text.size();
    text.resize(room);
    text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), before, room));
  };
  std::string text(reinterpret_cast<const char*>(data), size);
  if (chosen->name == "query") {
    hdbench::fuzz::mutate_query(text, most, seed, bytes_mutator);
  } else if (chosen->name == "column" || chosen->name == "database") {
    hdbench::fuzz::mutate_pieces(text, most, seed, bytes_mutator);
  } else {
    bytes_mutator(text, most);
  }
  if (text.size() > most) text.resize(most);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
