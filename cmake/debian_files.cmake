# CPack runs this between installing into a folder and packing that folder: what Debian policy asks of files.
set(usr ${CPACK_TEMPORARY_DIRECTORY}/usr)
set(doc ${usr}/share/doc/stiction)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# -n: neither name nor time, so that the same sources give the same package.
file(GLOB manuals ${usr}/share/man/man1/*.1)
run(gzip -9nf ${manuals})

# Debian looks for the functions of packages elsewhere than for those of the administrator.
if(EXISTS ${usr}/share/zsh/site-functions)
  file(RENAME ${usr}/share/zsh/site-functions ${usr}/share/zsh/vendor-completions)
endif()

file(COPY ${CPACK_STICTION_SOURCE}/CHANGELOG.md DESTINATION ${doc})
file(RENAME ${doc}/CHANGELOG.md ${doc}/changelog)
# Of the package itself there is no history beside that of the program.
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC) # SOURCE_DATE_EPOCH, where it is set
file(WRITE ${doc}/changelog.Debian
     "stiction (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium\n\n  * Changes of this version are in changelog.gz.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${now}\n")
run(gzip -9nf ${doc}/changelog ${doc}/changelog.Debian)

file(READ ${CPACK_STICTION_SOURCE}/LICENSE license)
string(REGEX MATCH "Copyright \\(c\\) ([^\n]+)" ignored "${license}")
set(holder "${CMAKE_MATCH_1}")
string(REGEX REPLACE "^.*Copyright[^\n]*\n+" "" license "${license}")
string(STRIP "${license}" license)
string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
string(REGEX REPLACE "\n" "\n " license "${license}")
file(WRITE ${doc}/copyright
     "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: stiction\n\nFiles: *\nCopyright: ${holder}\nLicense: BSD-3-Clause\n ${license}\n")

# Static libraries keep their symbols and lose what only names the compiler.
file(GLOB_RECURSE archives ${usr}/lib/*.a)
if(archives)
  run(${CPACK_STICTION_STRIP} --strip-debug --remove-section=.comment --remove-section=.note --enable-deterministic-archives ${archives})
endif()
run(chmod -R u=rwX,go=rX ${usr})
