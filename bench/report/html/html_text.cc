#include "bench/report/html/html_text.h"

#include <fmt/format.h>

#include <cstddef>

#include "engine/base/printable_text.h"

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

std::string row_html(const std::vector<HtmlCell>& row, bool is_header) {
  std::string html;
  for (const HtmlCell& cell : row) {
    const bool is_first = &cell == row.data();
    const char* const element = is_header || is_first ? "th" : "td";
    const char* const scope = is_header ? " scope=\"col\"" : is_first ? " scope=\"row\"" : "";
    const std::string classes = is_first ? "" : fmt::format(" class=\"{}\"", cell.classes);
    html += fmt::format("<{}{}{}>{}</{}>", element, scope, classes, cell.html, element);
  }
  return "<tr>" + html + "</tr>";
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
      caption, caption, row_html(table.header, true));
  for (const auto& row : table.rows) html += row_html(row, false) + "\n";
  return html + "</tbody>\n</table>\n</div></div>\n";
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
  std::string html = "<ul>\n";
  for (const std::string& item : items) html += "<li>" + html_escaped(item) + "</li>\n";
  return html + "</ul>\n";
}

}  // namespace hdbench::bench
