#include "bench/report/html/html_text.h"

#include <fmt/format.h>

#include <cctype>
#include <cstddef>

#include "bench/report/page/page_files.h"
#include "engine/base/text.h"

namespace hdbench::bench {
namespace {

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '&': out += "&amp;"; return;
    case '<': out += "&lt;"; return;
    case '>': out += "&gt;"; return;
    case '"': out += "&quot;"; return;
    case '\'': out += "&#39;"; return;
    default: out += c;
  }
}

std::string row_html(const std::vector<HtmlCell>& row, const std::vector<HtmlCell>& header) {
  const bool is_header = &row == &header;
  const auto classes_of = [&](std::size_t at) -> std::string {
    if (!row[at].classes.empty()) return row[at].classes;
    return at < header.size() && !header[at].classes.empty() ? header[at].classes : "n";
  };
  std::string html;
  for (std::size_t at = 0; at < row.size(); ++at) {
    const bool is_first = at == 0;
    const char* const element = is_header || is_first ? "th" : "td";
    const char* const scope = is_header ? " scope=\"col\"" : is_first ? " scope=\"row\"" : "";
    const std::string classes = is_first ? "" : fmt::format(" class=\"{}\"", classes_of(at));
    html += fmt::format("<{}{}{}>{}</{}>", element, scope, classes, row[at].html, element);
  }
  return "<tr>" + html + "</tr>";
}

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

std::string html_escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : printable(text)) append_escaped(out, c);
  return out;
}

std::string script_safe(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : printable_json(json)) out += c == '<' ? "\\u003c" : std::string(1, c);
  return out;
}

std::string to_html(const HtmlTable& table) {
  const std::string caption = html_escaped(table.caption);
  std::string html = fmt::format(
      "<div class=\"scrollbox\"><div class=\"scroll\" role=\"region\" tabindex=\"0\" "
      "aria-label=\"{}\">\n<table>\n"
      "<caption><span>{}</span></caption>\n<thead>{}</thead>\n<tbody>\n",
      caption, caption, row_html(table.header, table.header));
  for (const auto& row : table.rows) html += row_html(row, table.header) + "\n";
  return html + "</tbody>\n</table>\n</div></div>\n";
}

HtmlTable html_table(const ViewTable& table) {
  HtmlTable html{table.caption, {}};
  for (const ViewColumn& column : table.columns)
    html.header.emplace_back(html_escaped(column.title), column.is_text ? "text" : "");
  for (const std::vector<ViewCell>& row : table.rows) {
    auto& cells = html.rows.emplace_back();
    for (const ViewCell& cell : row) {
      cells.emplace_back(cell.beside.empty()
                             ? html_escaped(cell.text)
                             : fmt::format("<b>{}</b><small>{}</small>", html_escaped(cell.text),
                                           html_escaped(cell.beside)));
    }
  }
  return html;
}

std::string html_others(const std::vector<std::string>& settings) {
  if (settings.empty()) return {};
  std::string html;
  for (const std::string& setting : settings) html += setting;
  return html_details(settings.size() == 1 ? "The other setting"
                                           : fmt::format("The other {} settings", settings.size()),
                      html, " class=\"others\"");
}

std::string html_details(const std::string& title, const std::string& html,
                         const std::string& attributes) {
  return fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", attributes,
                     html_escaped(title), html);
}

std::string html_figures(const std::string& table) {
  return html_details("The figures as a table", table, " class=\"figures\"");
}

std::string html_canvas(const std::string& id, const std::string& label,
                        const std::string& attributes) {
  return fmt::format(
      "<div class=\"plot\"><canvas id=\"{}\" role=\"img\" aria-label=\"{} The same figures are in "
      "the table below.\"{}></canvas></div>\n<ul class=\"legend\" data-for=\"{}\"></ul>\n",
      id, html_escaped(label), attributes, id);
}

std::string html_none(const std::string& text) {
  return "<span class=\"none\">" + html_escaped(text) + "</span>";
}

std::string html_missing(const std::string& text, const std::string& how,
                         const std::string& command) {
  std::string html = "<div class=\"missing\"><p>" + html_escaped(text) + "</p>";
  if (!command.empty()) {
    html += fmt::format("<p>{}</p><pre tabindex=\"0\">{}</pre>", html_escaped(how),
                        html_escaped(command));
  }
  return html + "</div>\n";
}

std::string html_list(const std::vector<std::string>& items) {
  if (items.empty()) return {};
  std::string html = "<ul>\n";
  for (const std::string& item : items) html += "<li>" + html_escaped(item) + "</li>\n";
  return html + "</ul>\n";
}

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
  std::string html = fmt::format("<span class=\"chips\" data-machine=\"{}\">", column.machine);
  const std::vector<std::string> chips = chips_of(column);
  for (std::size_t i = 0; i < chips.size(); ++i) {
    const bool is_emulation = column.emulated && i + 1 == chips.size();
    std::string meaning = meaning_of(chips[i]);
    if (is_emulation) meaning.insert(0, column.emulation + ": ");
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
