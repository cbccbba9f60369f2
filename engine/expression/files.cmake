list(APPEND ENGINE_SOURCES
  expression/arithmetic.cc
  expression/evaluator.cc
  expression/lowering.cc)
list(APPEND ENGINE_TESTS expression/evaluator_test.cc)
