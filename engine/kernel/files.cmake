list(APPEND ENGINE_SOURCES kernel/like.cc)
list(APPEND ENGINE_TESTS kernel/like_test.cc)
