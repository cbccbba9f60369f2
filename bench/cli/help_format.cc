#include "bench/cli/help_format.h"

#include "bench/base/wrapped_text.h"

namespace hdbench {
namespace {

constexpr std::size_t kNameColumn = 2;
constexpr std::size_t kAboutColumn = 26;

}  // namespace

// "  name    about", the text below itself; a long name has a line of its own.
std::string HelpFormat::entry(const std::string& name, const std::string& about) const {
  std::string line =
      std::string(kNameColumn, ' ') + wrapped_text(name, columns_, kNameColumn + 2, 2);
  if (about.empty()) return line + '\n';
  const bool is_long = line.size() + 2 > kAboutColumn;
  line += is_long ? '\n' + std::string(kAboutColumn, ' ')
                  : std::string(kAboutColumn - line.size(), ' ');
  return line + wrapped_text(about, columns_, kAboutColumn, kAboutColumn) + '\n';
}

std::string HelpFormat::make_option(const CLI::Option* option, bool is_positional) const {
  return entry(make_option_name(option, is_positional) + make_option_opts(option),
               make_option_desc(option));
}

std::string HelpFormat::make_subcommand(const CLI::App* command) const {
  return entry(command->get_name(), command->get_description());
}

std::string HelpFormat::make_description(const CLI::App* command) const {
  return wrapped_text(command->get_description(), columns_, 0) + '\n';
}

std::string HelpFormat::make_usage(const CLI::App* command, std::string name) const {
  constexpr std::size_t kUnderName = 7;  // "Usage: "
  std::string usage = CLI::Formatter::make_usage(command, std::move(name));
  while (!usage.empty() && usage.back() == '\n') usage.pop_back();
  return wrapped_text(usage, columns_, kUnderName) + '\n';
}

// Each line keeps its own indentation, also where it goes on.
std::string HelpFormat::make_footer(const CLI::App* command) const {
  const std::string footer = command->get_footer();
  std::string text;
  for (std::size_t at = 0; at < footer.size();) {
    const std::size_t end = std::min(footer.find('\n', at), footer.size());
    const std::string line = footer.substr(at, end - at);
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    text += line.substr(0, indent) +
            wrapped_text(line.substr(indent), columns_, indent + (indent == 0 ? 0 : 4), indent) +
            '\n';
    at = end + 1;
  }
  return text;
}

}  // namespace hdbench
