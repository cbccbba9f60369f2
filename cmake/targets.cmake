# How every target of this project is compiled, and how a folder's tests become ctest's.
include(CheckIPOSupported)

option(HDBENCH_WERROR "Warnings are errors" OFF)
set(HDBENCH_SANITIZE "" CACHE STRING "Sanitizers for every target: address,undefined or thread")

add_library(hdbench_options INTERFACE)
target_include_directories(hdbench_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(hdbench_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                       -Wno-sign-conversion -Wnon-virtual-dtor -fno-strict-aliasing)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns of overlaps, lengths and bounds in std::string's own operator+ (GCC bug 105651).
  target_compile_options(hdbench_options INTERFACE -Wno-restrict -Wno-stringop-overflow
                         -Wno-array-bounds)
endif()
# As many sources at once as free memory holds.
cmake_host_system_information(RESULT free_mib QUERY AVAILABLE_PHYSICAL_MEMORY)
math(EXPR compile_jobs "${free_mib} / 1536 + 1")
set_property(GLOBAL PROPERTY JOB_POOLS compile=${compile_jobs})
set(CMAKE_JOB_POOL_COMPILE compile)

if(HDBENCH_WERROR)
  target_compile_options(hdbench_options INTERFACE -Werror)
endif()
# libFuzzer's targets, tests/fuzz, instead of programs that replay their corpora (preset fuzz).
option(HDBENCH_FUZZ "Build the fuzz targets with libFuzzer (clang)" OFF)
if(HDBENCH_FUZZ)
  target_compile_options(hdbench_options INTERFACE -fno-sanitize-recover=all)
endif()
if(HDBENCH_SANITIZE)
  target_compile_options(hdbench_options INTERFACE -fsanitize=${HDBENCH_SANITIZE}
                         -fno-omit-frame-pointer)
  target_link_options(hdbench_options INTERFACE -fsanitize=${HDBENCH_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 15)
    # With them GCC 12 to 14 take a member within std::regex for uninitialised (GCC bug 105616).
    target_compile_options(hdbench_options INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()

# Most of a source's compile time, so compiled once, and once more with Catch2 for the tests.
# Sources include what they use all the same: the sanitizers' presets build without.
function(hdbench_precompile name)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${name}.cc CONTENT "")
  add_library(hdbench_${name} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/${name}.cc)
  target_link_libraries(hdbench_${name} PRIVATE hdbench_options fmt::fmt)
  target_precompile_headers(hdbench_${name} PRIVATE <algorithm> <filesystem> <functional> <map>
    <memory> <optional> <string> <vector> <fmt/format.h> ${ARGN})
endfunction()
hdbench_precompile(headers)
hdbench_precompile(test_headers ${PROJECT_SOURCE_DIR}/engine/base/catch.h)

# A target's sources are compiled together: the headers they share, most of the time, are read once.
# Off for tools that go source by source.
option(HDBENCH_UNITY "Compile several sources of a target at once" ON)

# hdbench_unity(target COUNT): at most so many sources at once; two CPUs share the work.
function(hdbench_unity target count)
  if(NOT HDBENCH_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${count})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # It takes a source that is included for a header, whose types others would see. A sixth of its
    # time is the collection of memory that it could keep: that starts at 1 GiB.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage
                           --param=ggc-min-heapsize=1048576)
  endif()
endfunction()

# The library of a folder, or of one of its rooms: hdbench_library(engine SOURCES ... LINKS ...),
# hdbench_library(pmem_base ...). ALONE: sources compiled by themselves, such as those that are
# compiled several times. UNTIMED: what it does is not measured, so less time is spent on optimising
# it, but for TIMED, single sources that are.
function(hdbench_library name)
  hdbench_objects(${name} STATIC ${ARGN})
endfunction()

# The same as objects, a part of a library: hdbench_objects(engine_untimed UNTIMED SOURCES ...).
function(hdbench_objects name)
  cmake_parse_arguments(ARG "UNTIMED;STATIC" "" "SOURCES;ALONE;TIMED;LINKS" ${ARGN})
  set(kind OBJECT)
  if(ARG_STATIC)
    set(kind STATIC)
  endif()
  add_library(hdbench_${name} ${kind} ${ARG_SOURCES} ${ARG_ALONE} ${ARG_TIMED})
  set_source_files_properties(${ARG_ALONE} ${ARG_TIMED} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_source_files_properties(${ARG_TIMED} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O3>)
  target_link_libraries(hdbench_${name} PUBLIC hdbench_options ${ARG_LINKS})
  target_precompile_headers(hdbench_${name} REUSE_FROM hdbench_headers)
  if(ARG_UNTIMED)
    target_compile_options(hdbench_${name} PRIVATE -Og)
  endif()
  hdbench_unity(hdbench_${name} 24)
endfunction()

# How a program of tests begins: what it does first, and Catch2's main.
find_package(Catch2 REQUIRED)
add_library(hdbench_test_start OBJECT EXCLUDE_FROM_ALL
            ${PROJECT_SOURCE_DIR}/engine/testing/test_start.cc)
target_link_libraries(hdbench_test_start PUBLIC hdbench_engine Catch2::Catch2WithMain)

# One program of tests: hdbench_tests(io SOURCES ... LINKS ...), which links hdbench_io where LINKS
# names nothing else. Each file is one ctest entry, named io.file.
function(hdbench_tests folder)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  if(NOT ARG_LINKS)
    set(ARG_LINKS hdbench_${folder})
  endif()
  add_executable(${folder}_test ${ARG_SOURCES})
  hdbench_unity(${folder}_test 16)
  target_compile_options(${folder}_test PRIVATE -Og)
  target_link_libraries(${folder}_test PRIVATE hdbench_test_start ${ARG_LINKS})
  target_precompile_headers(${folder}_test REUSE_FROM hdbench_test_headers)
  target_compile_definitions(${folder}_test PRIVATE
    HDBENCH_SAMPLES="${HDBENCH_SAMPLES}" HDBENCH_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  set(seconds 600)
  if(HDBENCH_SANITIZE)
    set(seconds 3600)
  endif()
  foreach(source ${ARG_SOURCES})
    get_filename_component(name ${source} NAME_WE)
    add_test(NAME ${folder}.${name} COMMAND ${folder}_test "--filenames-as-tags" "[#${name}]")
    set_tests_properties(${folder}.${name} PROPERTIES TIMEOUT ${seconds} SKIP_RETURN_CODE 77)
  endforeach()
endfunction()

# Tables that real kdb+ wrote: beside the project, or wherever this says. Tests that need them say
# so when they are absent.
set(HDBENCH_SAMPLES "${PROJECT_SOURCE_DIR}/../shared/samples" CACHE PATH
    "The folder of sample databases")
