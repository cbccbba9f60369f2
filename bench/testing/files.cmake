# How the benchmark itself is checked: to be read, not passed.
add_executable(meter_overhead testing/meter_overhead.cc)
target_link_libraries(meter_overhead PRIVATE hdbench_bench)

# The emulator's known answers against this machine's clock, and what a touch costs.
add_executable(emulator_known_answers testing/emulator_known_answers.cc)
target_link_libraries(emulator_known_answers PRIVATE hdbench_pmem)
add_executable(emulator_bench testing/emulator_bench.cc)
target_link_libraries(emulator_bench PRIVATE hdbench_pmem benchmark::benchmark)
add_test(NAME pmem.emulator_bench COMMAND emulator_bench --benchmark_min_time=0.001)
