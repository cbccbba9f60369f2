list(APPEND ENGINE_SOURCES
  inspect/description.cc
  inspect/directory_notes.cc
  inspect/verify.cc)
list(APPEND ENGINE_TESTS
  inspect/description_test.cc
  inspect/directory_notes_test.cc
  inspect/verify_test.cc)
# Alone, so that the other sources and tests stay with their neighbours.
set_source_files_properties(inspect/description.cc inspect/description_test.cc
                            inspect/directory_notes.cc inspect/directory_notes_test.cc PROPERTIES
                            SKIP_UNITY_BUILD_INCLUSION ON)
