# SPDX-License-Identifier: Apache-2.0
# The one place with compiler flags. Every target of ours links outbox_flags through outbox_library()
# or outbox_program().

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

set(OUTBOX_SANITIZE "" CACHE STRING "Sanitizers to build with, comma separated")
option(OUTBOX_DEBUG_INFO "Keep debug information in optimised builds" ON)

add_library(outbox_flags INTERFACE)
target_compile_options(outbox_flags INTERFACE
    -Wall -Wextra -Wpedantic -Werror -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
    -Wcast-align -Wimplicit-fallthrough -fno-omit-frame-pointer)
target_compile_definitions(outbox_flags INTERFACE
    QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_URL_CAST_FROM_STRING
    QT_NO_KEYWORDS QT_STRICT_ITERATORS)
if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo" AND NOT OUTBOX_DEBUG_INFO)
    target_compile_options(outbox_flags INTERFACE -g0)
endif()
if(OUTBOX_SANITIZE)
    target_compile_options(outbox_flags INTERFACE
        -fsanitize=${OUTBOX_SANITIZE} -fno-sanitize-recover=all -Wno-maybe-uninitialized -O1)
    target_link_options(outbox_flags INTERFACE -fsanitize=${OUTBOX_SANITIZE})
endif()

# Precompiled headers, one for each kind of target, because reading headers is most of a build:
# outbox_precompiled(KIND HEADERS ... LIBRARIES ...) makes one, and targets made while the variable OUTBOX_PRECOMPILED
# names it use it. A kind is a kind of object code (library or program) and one set of Qt's module macros.
function(outbox_precompiled kind)
    set(carrier "outbox_precompiled_${kind}")
    file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${carrier}.cpp" CONTENT "int main() { return 0; }\n")
    if(kind MATCHES "library")
        add_library(${carrier} STATIC "${CMAKE_CURRENT_BINARY_DIR}/${carrier}.cpp")
    else()
        add_executable(${carrier} "${CMAKE_CURRENT_BINARY_DIR}/${carrier}.cpp")
        set_target_properties(${carrier} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
    endif()
    cmake_parse_arguments(PARSE_ARGV 1 wanted "" "" "HEADERS;LIBRARIES")
    target_link_libraries(${carrier} PRIVATE outbox_flags Qt6::Core ${wanted_LIBRARIES})
    target_precompile_headers(${carrier} PRIVATE ${wanted_HEADERS})
endfunction()

# outbox_library(NAME FOLDER... ) makes a static library of every source in the named folders, with moc on.
function(outbox_library name)
    set(sources)
    foreach(folder IN LISTS ARGN)
        file(GLOB found CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp"
            "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.h")
        list(APPEND sources ${found})
    endforeach()
    add_library(${name} STATIC ${sources})
    set_target_properties(${name} PROPERTIES AUTOMOC ON LINKER_LANGUAGE CXX)
    target_include_directories(${name} PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}")
    target_link_libraries(${name} PUBLIC outbox_flags Qt6::Core)
    if(NOT OUTBOX_PRECOMPILED)
        set(OUTBOX_PRECOMPILED library)
    endif()
    target_precompile_headers(${name} REUSE_FROM outbox_precompiled_${OUTBOX_PRECOMPILED})
endfunction()

# outbox_program(NAME SOURCE...) makes an executable with the house's flags.
function(outbox_program name)
    add_executable(${name} ${ARGN})
    set_target_properties(${name} PROPERTIES AUTOMOC ON)
    target_link_libraries(${name} PRIVATE outbox_flags Qt6::Core)
    if(OUTBOX_PRECOMPILED)
        target_precompile_headers(${name} REUSE_FROM outbox_precompiled_${OUTBOX_PRECOMPILED})
    endif()
endfunction()
