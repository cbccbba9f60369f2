// What a result says of its origin: the version and commit that this program was built from, and
// the command line that started this process.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace hdbench::bench {

// "0.1.0".
std::string_view version();
// Of results.json's fields: raised when one is removed or means something else, not when one is
// added. Files of another one are not read.
inline constexpr int kResultsSchemaVersion = 2;
// `git describe --always --dirty` when it was built, or "unknown".
std::string_view commit();
// "debug" or "release", as Google Benchmark says it.
std::string_view build_type();

// A word as a shell takes it: as it is where that is safe, else in single quotes.
std::string shell_word(std::string_view word);

// "hdbench run /db --medium 'cxl:cxl-fpga'": the program by its name, without its directory. Empty
// where the kernel does not say.
std::string reproduce_command(const std::filesystem::path& cmdline = "/proc/self/cmdline");

}  // namespace hdbench::bench
