// The command line that started this process, so that a result says how to reproduce it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace hdbench::bench {

// A word as a shell takes it: as it is where that is safe, else in single quotes.
std::string shell_word(std::string_view word);

// "hdbench run /db --medium 'cxl:cxl-fpga'": the program by its name, without its directory. Empty
// where the kernel does not say.
std::string reproduce_command(const std::filesystem::path& cmdline = "/proc/self/cmdline");

}  // namespace hdbench::bench
