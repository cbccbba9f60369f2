list(APPEND ENGINE_SOURCES
  inspect/description.cc
  inspect/directory_notes.cc
  inspect/verify.cc)
list(APPEND ENGINE_TESTS
  inspect/description_test.cc
  inspect/directory_notes_test.cc
  inspect/verify_test.cc)
