#include "bench/cli/help_format.h"

#include "bench/base/lines.h"

namespace hdbench::bench {
namespace {

constexpr std::size_t kNameColumn = 2;
constexpr std::size_t kAboutColumn = 26;

std::string blanks(std::size_t count) { return std::string(count, ' '); }

}  // namespace

// "  name    about", the text below itself; a long name has a line of its own.
std::string HelpFormat::entry(const std::string& name, const std::string& about) const {
  std::string line =
      blanks(kNameColumn) + wrapped(name, columns_, blanks(kNameColumn + 2), kNameColumn);
  if (about.empty()) return line + '\n';
  const bool is_long = line.size() + 2 > kAboutColumn;
  line += is_long ? '\n' + blanks(kAboutColumn) : blanks(kAboutColumn - line.size());
  return line + wrapped(about, columns_, blanks(kAboutColumn), kAboutColumn) + '\n';
}

std::string HelpFormat::make_option(const CLI::Option* option, bool is_positional) const {
  return entry(make_option_name(option, is_positional) + make_option_opts(option),
               make_option_desc(option));
}

std::string HelpFormat::make_subcommand(const CLI::App* command) const {
  return entry(command->get_name(), command->get_description());
}

std::string HelpFormat::make_description(const CLI::App* command) const {
  return folded(command->get_description(), columns_, {});
}

std::string HelpFormat::make_usage(const CLI::App* command, std::string name) const {
  constexpr std::size_t kUnderName = 7;  // "Usage: "
  std::string usage = CLI::Formatter::make_usage(command, std::move(name));
  while (!usage.empty() && usage.back() == '\n') usage.pop_back();
  return folded(usage, columns_, blanks(kUnderName));
}

// Each line keeps its own indentation, also where it goes on.
std::string HelpFormat::make_footer(const CLI::App* command) const {
  const std::string footer = command->get_footer();
  std::string text;
  for (std::size_t at = 0; at < footer.size();) {
    const std::size_t end = std::min(footer.find('\n', at), footer.size());
    const std::string line = footer.substr(at, end - at);
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::string under = blanks(indent == 0 ? 0 : indent + 4);
    text += blanks(indent) + wrapped(line.substr(indent), columns_, under, indent) + '\n';
    at = end + 1;
  }
  return text;
}

}  // namespace hdbench::bench
