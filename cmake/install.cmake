# `cmake --install build/bench --prefix DIR`: the device profiles, the documents, bash's completion
# and, where they were made (scripts/man_pages.sh), the man pages. bench/CMakeLists.txt installs the
# program, queries/CMakeLists.txt the query files.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/pmem/profiles/
        DESTINATION ${CMAKE_INSTALL_DATADIR}/hdbench/profiles OPTIONAL
        FILES_MATCHING PATTERN *.json)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES scripts/completion/hdbench.bash
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME hdbench)
install(DIRECTORY ${PROJECT_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)

# A Debian package: ./quickstart --package. Nothing beyond the program is built for it.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME hdbench)
set(CPACK_PACKAGE_CONTACT "hdbench's developers <hdbench@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
include(CPack)
