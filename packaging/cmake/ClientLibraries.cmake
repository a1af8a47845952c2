# SPDX-License-Identifier: Apache-2.0
# Client libraries that Debian ships without a usable CMake package (that of libnats wants a static library
# which is not in it). outbox_client_library(TARGET LIBRARY HEADER PACKAGE) finds one, or says what to install.

function(outbox_client_library target library header package)
    find_library(${library}_LIBRARY ${library})
    find_path(${library}_INCLUDE_DIR ${header})
    if(NOT ${library}_LIBRARY OR NOT ${library}_INCLUDE_DIR)
        message(FATAL_ERROR "lib${library} or <${header}> is missing; on Debian: ${package}")
    endif()
    add_library(${target} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(${target} PROPERTIES
        IMPORTED_LOCATION "${${library}_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${${library}_INCLUDE_DIR}")
endfunction()
