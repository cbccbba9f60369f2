// The page's own files and the chart library, embedded at build time: embed_page.cmake writes the
// source.
#pragma once

#include <string_view>

namespace hdbench::bench {

// The document, with {{NAME}} where html_page.cc puts things.
std::string_view page_template();
std::string_view page_css();
std::string_view page_js();
// Chart.js (https://www.chartjs.org), minified, with its notice; and its licence's text.
std::string_view chart_library();
std::string_view chart_library_licence();
// docs/glossary.md.
std::string_view glossary_text();

}  // namespace hdbench::bench
