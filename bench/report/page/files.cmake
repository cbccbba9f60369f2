# The page's own files and the chart library, as one source.
find_file(HDBENCH_CHART_LIBRARY chart.min.js
          PATHS /usr/share/javascript/chart.js /usr/share/nodejs/chart.js/dist
          DOC "Chart.js, minified: Debian's libjs-chart.js" REQUIRED)

set(page ${CMAKE_CURRENT_SOURCE_DIR}/report/page)
# In this order, inside one function.
set(page_scripts looks.js plugins.js scales.js tiers.js charts.js forecasts.js machines.js
                 switches.js)
list(TRANSFORM page_scripts PREPEND ${page}/)
set(glossary ${PROJECT_SOURCE_DIR}/docs/glossary.md)
set(page_files ${CMAKE_CURRENT_BINARY_DIR}/page_files.cc)
add_custom_command(OUTPUT ${page_files}
  COMMAND ${CMAKE_COMMAND} -D TEMPLATE=${page}/report.html
          -D "CSS=${page}/report.css;${page}/print.css" -D "JS=${page_scripts}"
          -D LIBRARY=${HDBENCH_CHART_LIBRARY} -D LICENCE=${page}/chart-licence.txt
          -D GLOSSARY=${glossary} -D SOURCE=${page_files}
          -P ${page}/embed_page.cmake
  DEPENDS ${page}/report.html ${page}/report.css ${page}/print.css
          ${page_scripts} ${page}/chart-licence.txt ${glossary} ${HDBENCH_CHART_LIBRARY}
          ${page}/embed_page.cmake VERBATIM)

list(APPEND BENCH_ALONE ${page_files})
