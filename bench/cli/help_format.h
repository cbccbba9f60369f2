// How --help looks: groups of flags, text wrapped to the terminal, examples last.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>

namespace hdbench::bench {

// Lines of at most `columns` bytes unless one word is longer.
class HelpFormat final : public CLI::Formatter {
 public:
  explicit HelpFormat(std::size_t columns) : columns_(columns) {}

  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_description(const CLI::App* command) const override;
  std::string make_usage(const CLI::App* command, std::string name) const override;
  std::string make_footer(const CLI::App* command) const override;

 private:
  std::string entry(const std::string& name, const std::string& about) const;

  std::size_t columns_;
};

}  // namespace hdbench::bench
