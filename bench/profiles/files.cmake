hdbench_library(bench_profiles UNTIMED
  SOURCES
    profiles/profile_json.cc
    profiles/profile_list.cc
    profiles/profile_template.cc
  LINKS hdbench_bench_machine)
list(APPEND BENCH_TESTS
  profiles/profile_json_test.cc
  profiles/profile_list_test.cc
  profiles/profile_template_test.cc)
