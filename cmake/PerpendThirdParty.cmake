# Compiles the pinned sources of third_party/ (tools/third_party) as static libraries under the names that find_package()
# would have given them. Their objects become part of libperpend.a, so that an installed perpend needs none of them.
enable_language(C)

# perpend_bundle(TARGET PACKAGE SOURCES ... INCLUDE folder ... DEFINE definition ...)
# TARGET is the name to link, PACKAGE the one to find. Without sources it is a library of headers alone.
function(perpend_bundle target package)
  cmake_parse_arguments(arg "" "" "SOURCES;INCLUDE;DEFINE" ${ARGN})
  string(MAKE_C_IDENTIFIER "bundled_${package}" name)
  list(TRANSFORM arg_INCLUDE PREPEND ${PERPEND_THIRD_PARTY}/)
  if(arg_SOURCES)
    list(TRANSFORM arg_SOURCES PREPEND ${PERPEND_THIRD_PARTY}/)
    add_library(${name} STATIC ${arg_SOURCES})
    target_include_directories(${name} SYSTEM PUBLIC ${arg_INCLUDE})
    # Other people's code: its warnings are theirs, and its names stay inside whatever links it.
    target_compile_options(${name} PRIVATE -w -ffp-contract=off)
    target_compile_definitions(${name} PRIVATE ${arg_DEFINE})
    set_target_properties(${name} PROPERTIES C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden CXX_STANDARD 17)
    set_property(GLOBAL APPEND PROPERTY PERPEND_MODULES ${name})
  else()
    add_library(${name} INTERFACE)
    target_include_directories(${name} SYSTEM INTERFACE ${arg_INCLUDE})
  endif()
  if(NOT target STREQUAL name)
    add_library(${target} ALIAS ${name})
  endif()
  # find_package(PACKAGE) looks here first, and finds that there is nothing left to do.
  file(WRITE ${CMAKE_FIND_PACKAGE_REDIRECTS_DIR}/${package}Config.cmake "")
  file(WRITE ${CMAKE_FIND_PACKAGE_REDIRECTS_DIR}/${package}ConfigVersion.cmake "set(PACKAGE_VERSION_COMPATIBLE TRUE)\n")
endfunction()
# perpend_glob(OUT PATTERN ...): files of third_party, as paths from there.
function(perpend_glob out)
  list(TRANSFORM ARGN PREPEND ${PERPEND_THIRD_PARTY}/ OUTPUT_VARIABLE patterns)
  file(GLOB found RELATIVE ${PERPEND_THIRD_PARTY} ${patterns})
  set(${out} ${found} PARENT_SCOPE)
endfunction()

perpend_bundle(bundled_random123 random123 INCLUDE random123/include)
perpend_bundle(bundled_fast_float fast_float INCLUDE fast_float/include)
perpend_bundle(bundled_tomlplusplus tomlplusplus INCLUDE tomlplusplus/usr/include)
perpend_bundle(CLI11::CLI11 CLI11 INCLUDE cli11/include)
perpend_bundle(nlohmann_json::nlohmann_json nlohmann_json INCLUDE nlohmann_json/single_include)
perpend_bundle(fmt::fmt fmt SOURCES fmt/src/format.cc fmt/src/os.cc INCLUDE fmt/include)

perpend_bundle(bundled_hwy hwy INCLUDE highway DEFINE HWY_STATIC_DEFINE
  SOURCES highway/hwy/aligned_allocator.cc highway/hwy/per_target.cc highway/hwy/targets.cc)
target_compile_definitions(bundled_hwy INTERFACE HWY_STATIC_DEFINE)
set(HWY_LIBRARY bundled_hwy)

# Without loading of plug-ins at run time, of which perpend wants none.
perpend_glob(sources onetbb/src/tbb/*.cpp)
perpend_bundle(TBB::tbb TBB SOURCES ${sources} INCLUDE onetbb/include
  DEFINE __TBB_BUILD __TBB_DYNAMIC_LOAD_ENABLED=0 __TBB_SOURCE_DIRECTLY_INCLUDED=1)
target_link_libraries(bundled_TBB PUBLIC Threads::Threads ${CMAKE_DL_LIBS})
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64")
  target_compile_options(bundled_TBB PRIVATE -mrtm -mwaitpkg)
endif()

perpend_glob(sources zlib/*.c)
perpend_bundle(ZLIB::ZLIB ZLIB SOURCES ${sources} INCLUDE zlib DEFINE HAVE_UNISTD_H HAVE_HIDDEN _LARGEFILE64_SOURCE=1)
perpend_bundle(SQLite::SQLite3 SQLite3 SOURCES sqlite/sqlite3.c INCLUDE sqlite
  DEFINE SQLITE_OMIT_LOAD_EXTENSION SQLITE_DQS=0 SQLITE_DEFAULT_MEMSTATUS=0 SQLITE_OMIT_DEPRECATED)

# snappy wants a header that its own build would write.
set(HAVE_SYS_UIO_H_01 0)
set(PROJECT_VERSION_MAJOR_ ${PROJECT_VERSION_MAJOR})
set(PROJECT_VERSION_MINOR_ ${PROJECT_VERSION_MINOR})
set(PROJECT_VERSION_PATCH_ ${PROJECT_VERSION_PATCH})
set(PROJECT_VERSION_MAJOR 1)
set(PROJECT_VERSION_MINOR 1)
set(PROJECT_VERSION_PATCH 9)
configure_file(${PERPEND_THIRD_PARTY}/snappy/snappy-stubs-public.h.in ${CMAKE_BINARY_DIR}/snappy/snappy-stubs-public.h)
set(PROJECT_VERSION_MAJOR ${PROJECT_VERSION_MAJOR_})
set(PROJECT_VERSION_MINOR ${PROJECT_VERSION_MINOR_})
set(PROJECT_VERSION_PATCH ${PROJECT_VERSION_PATCH_})
perpend_bundle(bundled_snappy snappy INCLUDE snappy
  SOURCES snappy/snappy.cc snappy/snappy-c.cc snappy/snappy-sinksource.cc snappy/snappy-stubs-internal.cc)
target_include_directories(bundled_snappy SYSTEM PUBLIC ${CMAKE_BINARY_DIR}/snappy)
target_compile_definitions(bundled_snappy PRIVATE HAVE_BUILTIN_EXPECT=1 HAVE_BUILTIN_CTZ=1)
perpend_glob(sources zstd/lib/common/*.c zstd/lib/decompress/*.c)
perpend_bundle(bundled_zstd zstd SOURCES ${sources} INCLUDE zstd/lib DEFINE ZSTD_DISABLE_ASM ZSTD_LEGACY_SUPPORT=0)
perpend_bundle(bundled_lz4 lz4 INCLUDE lz4/lib DEFINE XXH_NAMESPACE=LZ4_
  SOURCES lz4/lib/lz4.c lz4/lib/lz4frame.c lz4/lib/lz4hc.c lz4/lib/xxhash.c)
set(PERPEND_CODEC_LIBRARIES bundled_snappy bundled_zstd bundled_lz4)
set(PERPEND_CODEC_DEFINITIONS PERPEND_SNAPPY PERPEND_ZSTD PERPEND_LZ4)

# Libraries of headers that the sources include by name alone.
set(PERPEND_HEADER_LIBRARIES bundled_random123 bundled_fast_float bundled_tomlplusplus)
list(APPEND PERPEND_SYSTEM_LIBRARIES ${CMAKE_DL_LIBS})
