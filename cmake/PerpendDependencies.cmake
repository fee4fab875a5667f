# The libraries perpend needs, from one of two places.
#
# PERPEND_BUNDLED=OFF takes the system's packages; each must have the version that is named here, or a newer one.
# PERPEND_BUNDLED=ON compiles the pinned sources in third_party/ and links them in statically. A source package has that
# folder, so there it is the default. In a clone, `tools/third_party third_party` makes it.
#
# The modules ask by find_package() and do not know which of the two they get.
set(PERPEND_THIRD_PARTY ${PROJECT_SOURCE_DIR}/third_party)
if(EXISTS ${PERPEND_THIRD_PARTY}/LICENSES.txt)
  set(there ON)
else()
  set(there OFF)
endif()
option(PERPEND_BUNDLED "Compile the pinned libraries of third_party/ instead of using the system's" ${there})
if(PERPEND_BUNDLED AND NOT there)
  message(FATAL_ERROR "PERPEND_BUNDLED=ON needs the folder third_party: run `tools/third_party third_party`, or use a "
                      "source package (perpend-${PROJECT_VERSION}.tar.gz), which has it")
endif()

find_package(Threads REQUIRED)
# Without MPI everything but mpirun works; -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON leaves it out where it is installed.
set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI QUIET COMPONENTS CXX)

set(PERPEND_SYSTEM_LIBRARIES Threads::Threads $<TARGET_NAME_IF_EXISTS:MPI::MPI_CXX>)
if(PERPEND_BUNDLED)
  include(PerpendThirdParty)
  return()
endif()

# perpend_need(PACKAGE DEBIAN_PACKAGE VERSION): find_package, with a message that says what to do.
function(perpend_need package debian version)
  find_package(${package} ${version} QUIET)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "perpend needs ${package} ${version} or newer (Debian: apt install ${debian}). A source package "
                        "(perpend-${PROJECT_VERSION}.tar.gz) has all that it needs inside; docs/installing.md says more")
  endif()
endfunction()
# perpend_need_header(HEADER DEBIAN_PACKAGE): the same for libraries that are only headers.
function(perpend_need_header header debian)
  string(MAKE_C_IDENTIFIER "PERPEND_HEADER_${header}" variable)
  find_path(${variable} ${header})
  if(NOT ${variable})
    message(FATAL_ERROR "perpend needs the header ${header} (Debian: apt install ${debian}). A source package "
                        "(perpend-${PROJECT_VERSION}.tar.gz) has all that it needs inside; docs/installing.md says more")
  endif()
endfunction()
perpend_need(fmt libfmt-dev 9.1)
perpend_need(nlohmann_json nlohmann-json3-dev 3.11)
perpend_need(CLI11 libcli11-dev 2.1)
perpend_need(TBB libtbb-dev 2021.5)
perpend_need(SQLite3 libsqlite3-dev 3.34)
perpend_need(ZLIB zlib1g-dev 1.2.11)
perpend_need(tomlplusplus libtomlplusplus-dev 3.3)
perpend_need_header(Random123/philox.h librandom123-dev)
perpend_need_header(fast_float/fast_float.h libfast-float-dev)
perpend_need(hwy libhwy-dev 1.0.3)
find_package(TBB REQUIRED)
find_library(HWY_LIBRARY hwy REQUIRED)

# The codecs of Parquet and Arrow files, apart from gzip. Each is optional: files that need one that is not built in are
# refused by its name. -DPERPEND_SNAPPY_LIBRARY= (empty) leaves snappy out where it is installed; ZSTD and LZ4 likewise.
set(PERPEND_CODEC_LIBRARIES)
set(PERPEND_CODEC_DEFINITIONS)
function(perpend_codec name library header)
  find_library(PERPEND_${name}_LIBRARY ${library})
  find_path(PERPEND_${name}_INCLUDE ${header})
  if(PERPEND_${name}_LIBRARY AND PERPEND_${name}_INCLUDE)
    set(PERPEND_CODEC_LIBRARIES ${PERPEND_CODEC_LIBRARIES} ${library} PARENT_SCOPE)
    set(PERPEND_CODEC_DEFINITIONS ${PERPEND_CODEC_DEFINITIONS} PERPEND_${name} PARENT_SCOPE)
  endif()
endfunction()
perpend_codec(SNAPPY snappy snappy-c.h)
perpend_codec(ZSTD zstd zstd.h)
perpend_codec(LZ4 lz4 lz4frame.h)
list(APPEND PERPEND_SYSTEM_LIBRARIES TBB::tbb fmt::fmt SQLite::SQLite3 ZLIB::ZLIB hwy ${PERPEND_CODEC_LIBRARIES})
