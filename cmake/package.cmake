# The Debian package of `make deb` (preset deb): command, manual pages, completions, examples, headers, static libraries.
# dpkg-shlibdeps finds what the command needs. What only programs on top of the static libraries need is suggested:
# the models need none of it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME stiction)
set(CPACK_PACKAGE_VENDOR "The Stiction authors")
# Who builds the package may say who answers for it; no address is known that would be right for everybody.
set(STICTION_MAINTAINER "The Stiction authors <stiction@localhost>" CACHE STRING "Maintainer of the Debian package: Name <address>")
set(CPACK_PACKAGE_CONTACT "${STICTION_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "friction models, simulation, identification and haptics")
set(CPACK_PACKAGE_DESCRIPTION
    "Stiction computes friction: of one joint, of a contact patch, of a rigid
body with hundreds of contacts.
.
This package has the command stiction, with manual pages and completion for
bash, zsh and fish, and the C++20 headers, static libraries and CMake files
for find_package(stiction).")
set(CPACK_STRIP_FILES TRUE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS TRUE)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
    "gnuplot-nox, cmake, g++, libsundials-dev, libceres-dev, libopenvdb-dev, libtbb-dev, libimath-dev, libfmt-dev, libpng-dev, libtomlplusplus-dev, libmatio-dev")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
# Debian's own rules about files (gzip, names, the copyright file) concern the package alone, not `cmake --install`.
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_files.cmake)
set(CPACK_STICTION_SOURCE ${CMAKE_CURRENT_SOURCE_DIR})
set(CPACK_STICTION_STRIP ${CMAKE_STRIP})
include(CPack)
