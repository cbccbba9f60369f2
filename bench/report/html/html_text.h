// Texts as HTML: escaped, so that no query, path or label becomes markup; tables and folds; the
// glossary's words with their meaning on hover; a medium's label cut into chips.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/report/views/report_pivot.h"
#include "bench/report/views/view_table.h"

namespace hdbench::bench {

// & < > " ' as entities; bytes that are no UTF-8 as U+FFFD, other control characters but
// tab and line break too.
std::string html_escaped(std::string_view text);

// A JSON document as the content of <script type="application/json">: no "<" is left, so that
// nothing in it ends the element or begins a comment.
std::string script_safe(std::string_view json);

struct HtmlCell {
  HtmlCell(std::string escaped, std::string class_names = "")
      : html(std::move(escaped)), classes(std::move(class_names)) {}
  HtmlCell(const char* escaped, std::string class_names = "")
      : HtmlCell(std::string(escaped), std::move(class_names)) {}

  std::string html;
  std::string classes;  // of the element; empty: its column's, of a header a figure's ("n")
};

// A table that can be read without its looks: a caption, column headers with a scope, and the first
// cell of every line as its header.
struct HtmlTable {
  std::string caption;  // plain text
  std::vector<HtmlCell> header;
  std::vector<std::vector<HtmlCell>> rows = {};
};

// In a box that scrolls sideways by itself and can be reached by keyboard.
std::string to_html(const HtmlTable& table);

// Of plain text.
HtmlTable html_table(const ViewTable& table);

// One element for several: HTML that is folded together, "The other 7 settings"; empty for none.
std::string html_others(const std::vector<std::string>& settings);

// HTML that is folded under a plain title.
std::string html_details(const std::string& title, const std::string& html,
                         const std::string& attributes = "");

// Figures below a chart.
std::string html_figures(const std::string& table);

// What a chart is drawn into, with its legend. Attributes: of the canvas, escaped.
std::string html_canvas(const std::string& id, const std::string& label,
                        const std::string& attributes = "");

// A plain text in the place of a figure that there is not.
std::string html_none(const std::string& text);

// A box that says what is missing, and how to run it with a command that may be empty.
std::string html_missing(const std::string& text, const std::string& how,
                         const std::string& command);

// Of a section with charts.
constexpr const char* kNoScript =
    "<noscript><p class=\"missing\">Charts need JavaScript; every figure is in the tables."
    "</p></noscript>\n";

// "<ul><li>...": plain texts.
std::string html_list(const std::vector<std::string>& items);

// Of docs/glossary.md: "cold, warm" and its meaning, in its order.
const std::vector<std::pair<std::string, std::string>>& glossary_terms();

// The meaning of one of its words, in any case; empty where it has none.
std::string meaning_of(std::string_view word);

// "nvme", "dram", "pmem", "cxl": the family of a medium, which has one colour.
std::string_view tier_family(std::string_view medium);

// The parts of the column's label: "App Direct", "optane-100-6dimm", "flat"; then "emulated".
std::vector<std::string> chips_of(const ReportColumn& column);

// As HTML, each with its meaning on hover, the first in its family's colour.
std::string html_chips(const ReportColumn& column);

// The word, with its meaning on hover and on focus; as it is where it has none.
std::string html_term(const std::string& word);

// The words of the glossary, folded.
std::string html_words();

}  // namespace hdbench::bench
