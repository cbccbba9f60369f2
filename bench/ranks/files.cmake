list(APPEND BENCH_SOURCES
  ranks/mpi_job.cc
  ranks/network_probe.cc
  ranks/rank_job.cc
  ranks/rank_opening.cc
  ranks/shared_partitions.cc
  ranks/sharing.cc)
list(APPEND BENCH_TESTS
  ranks/network_probe_test.cc
  ranks/rank_job_test.cc
  ranks/rank_opening_test.cc
  ranks/shared_partitions_test.cc
  ranks/sharing_test.cc)
