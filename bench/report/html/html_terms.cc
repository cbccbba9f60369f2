#include "bench/report/html/html_terms.h"

#include <fmt/format.h>

#include <cctype>

#include "bench/report/html/html_text.h"
#include "bench/report/page/page_files.h"

namespace hdbench::bench {
namespace {

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// The parts of a text between separators.
std::vector<std::string> parted(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + separator.size());
  }
}

std::string without_marks(std::string text) {
  std::erase(text, '`');
  return text;
}

}  // namespace

const std::vector<std::pair<std::string, std::string>>& glossary_terms() {
  static const auto terms = [] {
    std::vector<std::pair<std::string, std::string>> found;
    for (const std::string& line : parted(glossary_text(), "\n")) {
      const auto cells = parted(line, " | ");
      if (cells.size() != 2 || !cells[0].starts_with("| ") || !cells[1].ends_with(" |")) continue;
      const std::string word = without_marks(cells[0].substr(2));
      if (word == "word") continue;
      found.emplace_back(word, without_marks(cells[1].substr(0, cells[1].size() - 2)));
    }
    return found;
  }();
  return terms;
}

std::string meaning_of(std::string_view word) {
  const std::string sought = lowered(word);
  for (const auto& [names, meaning] : glossary_terms()) {
    for (const std::string& name : parted(lowered(names), ", ")) {
      if (name.substr(0, name.find(" (")) == sought) return meaning;
    }
  }
  return {};
}

std::string_view tier_family(std::string_view medium) {
  const std::string_view kind = medium.substr(0, medium.find(':'));
  if (kind == "nvme") return "nvme";
  if (kind == "cxl") return "cxl";
  return kind == "app-direct" || kind == "memory-mode" ? "pmem" : "dram";
}

std::vector<std::string> chips_of(const ReportColumn& column) {
  std::vector<std::string> chips = parted(column.label, ", ");
  const std::size_t bracket = chips.front().find(" (");
  if (bracket != std::string::npos && chips.front().ends_with(")")) {
    std::string profile = chips.front().substr(bracket + 2);
    profile.pop_back();
    chips.front().resize(bracket);
    chips.insert(chips.begin() + 1, std::move(profile));
  }
  if (column.emulated) chips.emplace_back("emulated");
  return chips;
}

std::string html_chips(const ReportColumn& column) {
  std::string html = "<span class=\"chips\">";
  const std::vector<std::string> chips = chips_of(column);
  for (std::size_t i = 0; i < chips.size(); ++i) {
    const bool is_emulation = column.emulated && i + 1 == chips.size();
    std::string meaning = meaning_of(chips[i]);
    if (is_emulation) meaning = column.emulation + ": " + meaning;
    const std::string classes = i == 0
                                    ? fmt::format(" tier t-{}", tier_family(column.setting.medium))
                                    : std::string(is_emulation ? " emulated" : "");
    html += fmt::format("<span class=\"chip{}\"{}>{}</span> ", classes,
                        meaning.empty() ? "" : " title=\"" + html_escaped(meaning) + "\"",
                        html_escaped(chips[i]));
  }
  return html + "</span>";
}

std::string html_term(const std::string& word) {
  const std::string meaning = meaning_of(word);
  if (meaning.empty()) return html_escaped(word);
  return fmt::format("<span class=\"term\" tabindex=\"0\" data-meaning=\"{}\">{}</span>",
                     html_escaped(meaning), html_escaped(word));
}

std::string html_words() {
  std::string html = "<dl class=\"words\">\n";
  for (const auto& [word, meaning] : glossary_terms())
    html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", html_escaped(word), html_escaped(meaning));
  return html_details("What the words mean", html + "</dl>\n");
}

}  // namespace hdbench::bench
