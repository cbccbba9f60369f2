list(APPEND BENCH_SOURCES
  ranks/mpi_job.cc
  ranks/rank_job.cc
  ranks/shared_partitions.cc)
list(APPEND BENCH_TESTS
  ranks/rank_job_test.cc
  ranks/shared_partitions_test.cc)
