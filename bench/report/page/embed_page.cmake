# Writes SOURCE: page_files.h's functions, each with a text as a raw string.
#   TEMPLATE, CSS, JS, LIBRARY, LICENCE, GLOSSARY: a file each, or a list of them, end to
#   end.
cmake_minimum_required(VERSION 3.25)

set(source "#include \"bench/report/page/page_files.h\"\n\nnamespace hdbench::bench {\n")
foreach(pair "page_template TEMPLATE" "page_css CSS" "page_js JS"
             "chart_library LIBRARY" "chart_library_licence LICENCE" "glossary_text GLOSSARY")
  string(REPLACE " " ";" pair "${pair}")
  list(GET pair 0 function)
  list(GET pair 1 file)
  string(APPEND source "\nstd::string_view ${function}() {\n  return R\"hdb_page(")
  foreach(part IN LISTS ${file})
    file(READ "${part}" text)
    string(APPEND source "${text}")
  endforeach()
  string(APPEND source ")hdb_page\";\n}\n")
endforeach()
string(APPEND source "\n}  // namespace hdbench::bench\n")
file(WRITE "${SOURCE}" "${source}")
