# What `make install` puts in place: the program, its manual page and completions, and the library: every module in one
# archive, found by find_package(perpend) as perpend::perpend (examples/).
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

get_property(modules GLOBAL PROPERTY PERPEND_MODULES)
list(TRANSFORM modules REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
add_library(perpend STATIC ${modules})
set_target_properties(perpend PROPERTIES LINKER_LANGUAGE CXX)
set_target_properties(perpend_options PROPERTIES EXPORT_NAME options)
target_link_libraries(perpend PUBLIC perpend_options PRIVATE ${PERPEND_SYSTEM_LIBRARIES})

# The program describes itself: --man and completions are made from its verbs and flags. Where the machine cannot run what
# it compiles, they are left out.
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  set(PERPEND_DESCRIBES_ITSELF OFF)
else()
  set(PERPEND_DESCRIBES_ITSELF ON)
endif()
set(described ${CMAKE_BINARY_DIR}/described)
add_custom_command(
  OUTPUT ${described}/perpend.1 ${described}/perpend.bash ${described}/_perpend ${described}/perpend.fish
  COMMAND ${CMAKE_COMMAND} -E make_directory ${described}
  COMMAND perpend_program --man > ${described}/perpend.1
  COMMAND perpend_program completions bash > ${described}/perpend.bash
  COMMAND perpend_program completions zsh > ${described}/_perpend
  COMMAND perpend_program completions fish > ${described}/perpend.fish
  DEPENDS perpend_program
  VERBATIM)
if(PERPEND_DESCRIBES_ITSELF)
  add_custom_target(perpend_described ALL DEPENDS ${described}/perpend.1)
endif()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/perpend)
configure_package_config_file(cmake/perpendConfig.cmake.in perpendConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(perpendConfigVersion.cmake COMPATIBILITY SameMinorVersion)

install(TARGETS perpend_program COMPONENT program)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT program)
if(PERPEND_BUNDLED)
  install(FILES ${PERPEND_THIRD_PARTY}/LICENSES.txt DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
endif()
install(TARGETS perpend perpend_options EXPORT perpendTargets)
install(EXPORT perpendTargets NAMESPACE perpend:: DESTINATION ${package})
install(FILES ${CMAKE_BINARY_DIR}/perpendConfig.cmake ${CMAKE_BINARY_DIR}/perpendConfigVersion.cmake
        DESTINATION ${package})
install(DIRECTORY perpend/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/perpend
        FILES_MATCHING PATTERN "*.h" PATTERN "*-inl.h" EXCLUDE)
if(PERPEND_DESCRIBES_ITSELF)
  install(FILES ${described}/perpend.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
    COMPONENT program)
  install(FILES ${described}/perpend.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME perpend
    COMPONENT program)
  install(FILES ${described}/_perpend DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
    COMPONENT program)
  install(FILES ${described}/perpend.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
    COMPONENT program)
endif()
