# Writes SOURCE: page_files.h's functions, each with a file's text as a raw string.
#   TEMPLATE, CSS, JS, LIBRARY, LICENCE: the files.
cmake_minimum_required(VERSION 3.25)

set(source "#include \"bench/report/page_files.h\"\n\nnamespace hdbench {\n")
foreach(pair "page_template TEMPLATE" "page_css CSS" "page_js JS" "chart_library LIBRARY"
             "chart_library_licence LICENCE")
  string(REPLACE " " ";" pair "${pair}")
  list(GET pair 0 function)
  list(GET pair 1 file)
  file(READ "${${file}}" text)
  string(APPEND source "\nstd::string_view ${function}() {\n  return R\"hdb_page(${text})hdb_page\""
                       ";\n}\n")
endforeach()
string(APPEND source "\n}  // namespace hdbench\n")
file(WRITE "${SOURCE}" "${source}")
