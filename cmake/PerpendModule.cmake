# Every target of perpend is compiled under one numeric contract: no contraction, no reassociation. Highway's targets
# without a fused multiply-add (SSSE3, SSE4) are left out: such machines run the plain C++ form, which gives the same bits.
add_library(perpend_options INTERFACE)
foreach(library ${PERPEND_HEADER_LIBRARIES})
  target_include_directories(perpend_options SYSTEM INTERFACE
    $<BUILD_INTERFACE:$<TARGET_PROPERTY:${library},INTERFACE_INCLUDE_DIRECTORIES>>)
endforeach()
target_include_directories(perpend_options INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include>)
target_compile_features(perpend_options INTERFACE cxx_std_20)
target_compile_options(perpend_options INTERFACE -ffp-contract=off)
if(PERPEND_DEVELOPER)
  target_compile_options(perpend_options INTERFACE
    "$<BUILD_INTERFACE:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wnon-virtual-dtor;-Werror>")
endif()
# Other people's tables, models and studies are read: an error of ours must end the program, not hand it over. Indices of
# vectors, arrays and spans are checked; tools/check_binaries names the rest.
target_compile_definitions(perpend_options INTERFACE $<BUILD_INTERFACE:_GLIBCXX_ASSERTIONS>)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # The same of clang's own library.
  target_compile_options(perpend_options INTERFACE
    "$<BUILD_INTERFACE:-U_LIBCPP_HARDENING_MODE;-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_FAST>")
endif()
if(NOT PERPEND_SANITIZE AND CMAKE_BUILD_TYPE MATCHES "Rel")
  target_compile_options(perpend_options INTERFACE
    "$<BUILD_INTERFACE:-fstack-protector-strong>"
    "$<BUILD_INTERFACE:$<$<NOT:$<BOOL:$<TARGET_PROPERTY:PERPEND_UNOPTIMIZED>>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>>")
  target_link_options(perpend_options INTERFACE "$<BUILD_INTERFACE:LINKER:-z,relro,-z,now>")
endif()
if(PERPEND_SANITIZE)
  target_compile_options(perpend_options INTERFACE -fsanitize=${PERPEND_SANITIZE} -fno-omit-frame-pointer
                                                   -fno-sanitize-recover=all)
  target_link_options(perpend_options INTERFACE -fsanitize=${PERPEND_SANITIZE})
endif()

if(PERPEND_FUZZ)
  target_compile_options(perpend_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Lints a target's sources while they are compiled, in the tidy preset.
function(perpend_tidy target)
  if(PERPEND_TIDY)
    set_target_properties(${target} PROPERTIES CXX_CLANG_TIDY "clang-tidy;--warnings-as-errors=*;--quiet")
  endif()
endfunction()

# Compiles a target's files eight at a time: most of what each of them costs are headers that they share (CLI11,
# GoogleTest, JSON). Lint still reads each file alone.
function(perpend_join target)
  if(NOT PERPEND_TIDY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()

# perpend_module(NAME [ALONE] SOURCES ... DEPENDS module ... PRIVATE library ...)
# One folder, one module, one target perpend_NAME. tools/check_includes holds the same dependency rule for headers.
# Without SOURCES, all .cpp files of the folder belong to it: where penalties and methods are added, a file is enough.
# ALONE: each file is compiled alone.
function(perpend_module name)
  cmake_parse_arguments(arg "ALONE" "" "SOURCES;DEPENDS;PRIVATE" ${ARGN})
  if(NOT arg_SOURCES)
    file(GLOB arg_SOURCES CONFIGURE_DEPENDS *.cpp)
  endif()
  add_library(perpend_${name} STATIC ${arg_SOURCES})
  list(TRANSFORM arg_DEPENDS PREPEND perpend_)
  target_link_libraries(perpend_${name} PUBLIC perpend_options ${arg_DEPENDS} PRIVATE ${arg_PRIVATE})
  perpend_tidy(perpend_${name})
  if(NOT arg_ALONE)
    perpend_join(perpend_${name})
  endif()
  set_property(GLOBAL APPEND PROPERTY PERPEND_MODULES perpend_${name})
endfunction()
