list(APPEND ENGINE_SOURCES exec/workspace.cc)
list(APPEND ENGINE_TESTS exec/workspace_test.cc)
