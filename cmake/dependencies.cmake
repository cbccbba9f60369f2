# Libraries from the distribution (packages.txt lists the packages). Required: formats and tests.
# Optional: what serves hardware; without it the media it serves are reported as absent.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(ZLIB REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(benchmark REQUIRED)  # of kernels only: hdbench does not link it
find_package(Snappy REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(LZ4 REQUIRED IMPORTED_TARGET liblz4)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(HWY REQUIRED IMPORTED_TARGET libhwy)

pkg_check_modules(PMEM IMPORTED_TARGET libpmem)
pkg_search_module(MPI IMPORTED_TARGET mpi-c ompi-c mpich)

foreach(library PMEM MPI)
  option(HDBENCH_WITH_${library} "Use ${library} when it is installed" ON)
  if(HDBENCH_WITH_${library} AND ${library}_FOUND)
    set(HDBENCH_HAS_${library} TRUE)
  else()
    set(HDBENCH_HAS_${library} FALSE)
    message(STATUS "${library}: not used; what it serves is reported as absent")
  endif()
endforeach()
