# `cmake --install build/bench --prefix DIR`: the device profiles and the documents.
# bench/CMakeLists.txt installs the program, queries/CMakeLists.txt the query files.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/pmem/profiles/
        DESTINATION ${CMAKE_INSTALL_DATADIR}/hdbench/profiles OPTIONAL
        FILES_MATCHING PATTERN *.json)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
