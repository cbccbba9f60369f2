// A table of the report as plain text, which a page, a terminal, Markdown and CSV show each in
// their own way.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hdbench::bench {

struct ViewColumn {
  ViewColumn(std::string name, bool holds_text = false)
      : title(std::move(name)), is_text(holds_text) {}
  ViewColumn(const char* name, bool holds_text = false)
      : ViewColumn(std::string(name), holds_text) {}

  std::string title;
  bool is_text;  // else figures; the first column is text
};

struct ViewCell {
  ViewCell(std::string is, std::string less = "") : text(std::move(is)), beside(std::move(less)) {}
  ViewCell(const char* is) : ViewCell(std::string(is)) {}

  std::string text;
  std::string beside;  // what is shown smaller: "1.60 to 1.71"
};

// A row has as many cells as there are columns.
struct ViewTable {
  std::string caption;
  std::vector<ViewColumn> columns;
  std::vector<std::vector<ViewCell>> rows = {};
};

}  // namespace hdbench::bench
