list(APPEND ENGINE_SOURCES base/thread_pool.cc)
list(APPEND ENGINE_TESTS base/thread_pool_test.cc)
