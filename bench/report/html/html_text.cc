#include "bench/report/html/html_text.h"

#include <fmt/format.h>

#include <cstddef>

namespace hdbench {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_follower(unsigned char byte) { return (byte & 0xC0) == 0x80; }

// How many bytes the UTF-8 character at the front takes; 0: it is none.
std::size_t character_bytes(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = at(0);
  std::size_t bytes = 0;
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) bytes = 2;
  if (first >= 0xE0 && first <= 0xEF) bytes = 3;
  if (first >= 0xF0 && first <= 0xF4) bytes = 4;
  if (bytes == 0 || text.size() < bytes) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!is_follower(at(i))) return 0;
  }
  const bool is_overlong = (first == 0xE0 && at(1) < 0xA0) || (first == 0xF0 && at(1) < 0x90);
  const bool is_outside = (first == 0xED && at(1) > 0x9F) || (first == 0xF4 && at(1) > 0x8F);
  return is_overlong || is_outside ? 0 : bytes;
}

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '&': out += "&amp;"; return;
    case '<': out += "&lt;"; return;
    case '>': out += "&gt;"; return;
    case '"': out += "&quot;"; return;
    case '\'': out += "&#39;"; return;
    default: break;
  }
  const auto byte = static_cast<unsigned char>(c);
  const bool is_control = (byte < 0x20 && c != '\t' && c != '\n') || byte == 0x7F;
  if (is_control) {
    out += kReplacement;
  } else {
    out += c;
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
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    if (bytes == 0) {
      out += kReplacement;
    } else if (bytes == 1) {
      append_escaped(out, text.front());
    } else {
      out += text.substr(0, bytes);
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return out;
}

std::string script_safe(std::string json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) out += c == '<' ? "\\u003c" : std::string(1, c);
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

}  // namespace hdbench
