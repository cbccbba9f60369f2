# Writes COMMIT_HEADER with the commit of SOURCE_DIR, and touches it only when that has changed.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND git -C ${SOURCE_DIR} describe --always --dirty --abbrev=12
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE
                ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR commit STREQUAL "")
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${COMMIT_HEADER} CONTENT "#define HDBENCH_COMMIT \"@commit@\"\n" @ONLY)
